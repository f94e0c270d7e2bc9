import { expBounds, type Interval, logBounds, outward } from '../rational/interval.ts';
import { add, divide, multiply, ONE, type Rational, rational, subtract, toNumber, ZERO } from '../rational/rational.ts';
import { squareRootBounds } from './square-root.ts';

/** Zero-concentrated differential privacy (Bun and Steinke 2016); the formulas are proved in zero-concentrated.proof.md. */

const BITS = 256;
const HALF = rational(1n, 2n);
const TWO = rational(2n);
/** Orders are tried on this grid. */
const ORDER_UNITS = 2 ** 40;
/**
 * Orders are tried up to 1 + e^8, and no further than exponentials are bounded. Higher ones are better only for a few
 * releases of a small ε at a small δ, for which the sum of ε is better still.
 */
const MOST_LOG_EXCESS = 8;
const MOST_EXPONENT = 60_000;

/** ρ = ε²/2, which every mechanism has that is ε-differentially private. Rounded nowhere. */
export function rhoOfPure(epsilon: Rational): Rational {
  return multiply(HALF, multiply(epsilon, epsilon));
}

/** Bounds on ε·tanh(ε/2): the smallest ρ of discrete Laplace noise of scale 1/ε on a count that moves by one. */
export function rhoOfDiscreteLaplace(epsilon: Rational): Interval {
  const power = expBounds(epsilon, BITS);
  const rho = (e: Rational) => multiply(epsilon, divide(subtract(e, ONE), add(e, ONE)));
  return outward({ lower: rho(power.lower), upper: rho(power.upper) }, BITS);
}

/** Bounds on cosh x. */
function hyperbolicCosine(x: Rational): Interval {
  const { lower, upper } = expBounds(x, BITS);
  const mean = (e: Rational, inverse: Rational) => multiply(HALF, add(e, divide(ONE, inverse)));
  return { lower: mean(lower, upper), upper: mean(upper, lower) };
}

/**
 * Bounds on the Rényi divergence of order a > 1, in nats, of discrete Laplace noise of scale 1/ε on a count that moves
 * by one: ln(cosh((a − ½)ε)/cosh(ε/2))/(a − 1). Throws RangeError for a ≤ 1.
 */
export function renyiDivergence(epsilon: Rational, order: Rational): Interval {
  const excess = subtract(order, ONE);
  if (excess.numerator <= 0n) throw new RangeError('the order of a Rényi divergence is above 1');
  const over = hyperbolicCosine(multiply(subtract(order, HALF), epsilon));
  const under = hyperbolicCosine(multiply(HALF, epsilon));
  return {
    lower: divide(logBounds(divide(over.lower, under.upper), BITS).lower, excess),
    upper: divide(logBounds(divide(over.upper, under.lower), BITS).upper, excess),
  };
}

/** ε of ρ-zCDP at a δ, 0 < δ < 1: ρ + 2√(ρ·ln(1/δ)), rounded up. K releases of ρ have K·ρ. */
export function epsilonOfRho(rho: Rational, delta: Rational): Rational {
  const log = logBounds(divide(ONE, delta), BITS).upper;
  return add(rho, multiply(TWO, squareRootBounds(multiply(rho, log), BITS).upper));
}

/**
 * ε at a δ, 0 < δ < 1, of K such releases by their Rényi divergence of one order: the conversion of Canonne, Kamath,
 * Steinke 2020 (Proposition 12), rounded up.
 */
function epsilonAtOrder(epsilon: Rational, releases: number, delta: Rational, order: Rational): Rational {
  const excess = subtract(order, ONE);
  const divergence = multiply(rational(BigInt(releases)), renyiDivergence(epsilon, order).upper);
  const saving = logBounds(divide(excess, order), BITS).upper;
  const price = divide(logBounds(multiply(delta, order), BITS).lower, excess);
  return subtract(add(divergence, saving), price);
}

/** The same in floating point, for the search of an order alone: every order gives a true bound. */
function roughEpsilon(epsilon: number, releases: number, delta: number, logExcess: number): number {
  const excess = Math.exp(logExcess);
  const logCosh = (x: number) => x + Math.log1p(Math.exp(-2 * x));
  const divergence = (logCosh((excess + 0.5) * epsilon) - logCosh(epsilon / 2)) / excess;
  return releases * divergence - Math.log1p(1 / excess) - Math.log(delta * (1 + excess)) / excess;
}

/** Where a function of one minimum is least between two numbers, by golden section. */
function leastBetween(from: number, to: number, value: (x: number) => number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  while (high - low > 1e-8) {
    const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
    if (value(left) <= value(right)) high = right;
    else low = left;
  }
  return (low + high) / 2;
}

/**
 * ε at a δ, 0 < δ < 1, of K releases with discrete Laplace noise of scale 1/ε on a count that moves by one, by Rényi
 * divergences: a true bound, rounded up, at the best order found; never below 0.
 */
export function epsilonByRenyi(epsilon: Rational, releases: number, delta: Rational): Rational {
  const [e, d] = [toNumber(epsilon), toNumber(delta)];
  const most = Math.min(MOST_LOG_EXCESS, Math.log(MOST_EXPONENT / e));
  const logExcess = leastBetween(-12, most, (x) => roughEpsilon(e, releases, d, x));
  const units = BigInt(Math.max(1, Math.round(Math.exp(logExcess) * ORDER_UNITS)));
  const order = add(ONE, rational(units, BigInt(ORDER_UNITS)));
  const bound = epsilonAtOrder(epsilon, releases, delta, order);
  return bound.numerator < 0n ? ZERO : bound;
}
