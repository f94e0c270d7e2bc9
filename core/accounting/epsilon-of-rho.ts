import { decimalUp } from '../rational/decimal.ts';
import { unitsDown, unitsUp } from '../rational/fixed-point.ts';
import { logBounds } from '../rational/interval.ts';
import { ceilingOf, divide, ONE, type Rational, rational } from '../rational/rational.ts';

/** Orders go from 1 + 2^−7 to 1 + 2^13, each a 64th further from 1: near the best one for ρ from 1e-6 to 1e4. */
const LEAST = 2n ** 13n;
const MOST = 2n ** 33n;
/** Orders are in units of 2^−20, and logarithms are rounded up to 80 binary places. */
const ORDER_PLACES = 20n;
const PLACES = 80n;
const WIDTH = Number(PLACES) + 16;

/** An order a, in units of 2^−20, and an upper bound on (a − 1)·ln(1 − 1/a) − ln a, in units of 2^−80. */
type Order = { order: bigint; constant: bigint };
let cache: readonly Order[] | null = null;

/**
 * ε at δ of a loss with this ρ, as a decimal that is at least the infimum over all orders a > 1 of
 * aρ + (ln(1/δ) + (a − 1)·ln(1 − 1/a) − ln a)/(a − 1) (Canonne, Kamath, Steinke 2020, Proposition 12): the least of
 * these over orders that do not depend on ρ, each rounded up (epsilon-of-rho.proof.md). A greater ρ never has a smaller
 * ε, and for ρ from 1e-6 to 1e4 and δ ≤ 1e-4 it is at most a five-thousandth above the infimum. Null where δ is 0: there
 * is no such ε.
 *
 * @contract C12
 */
export function epsilonOfRho(rho: Rational, delta: Rational): string | null {
  if (rho.numerator === 0n) return '0';
  if (delta.numerator === 0n) return null;
  const slack = upOf(divide(ONE, delta));
  cache ??= orders();
  const least = cache
    .map(({ order, constant }) => boundOf(rho, order, constant + slack))
    .reduce((a, b) => (b < a ? b : a));
  return decimalUp(rational(least > 0n ? least : 0n, 1n << PLACES));
}

/** aρ + constant/(a − 1) in units of 2^−80, rounded up. */
function boundOf({ numerator, denominator }: Rational, order: bigint, constant: bigint): bigint {
  const loss = ceilingOf((order * numerator) << (PLACES - ORDER_PLACES), denominator);
  return loss + ceilingOf(constant << ORDER_PLACES, order - (1n << ORDER_PLACES));
}

function orders(): Order[] {
  const one = 1n << ORDER_PLACES;
  const all: Order[] = [];
  for (let above = LEAST; above <= MOST; above += above / 64n) {
    const order = one + above;
    // −ln(1 − 1/a) = ln(a/(a − 1)): whatever is taken off is rounded down.
    const constant = -((above * downOf(rational(order, above))) / one) - downOf(rational(order, one));
    all.push({ order, constant });
  }
  return all;
}

/** ln x for x > 1 in units of 2^−80, rounded up. */
const upOf = (x: Rational): bigint => unitsUp(logBounds(x, WIDTH).upper, PLACES);

/** The same, rounded down. */
const downOf = (x: Rational): bigint => unitsDown(logBounds(x, WIDTH).lower, PLACES);
