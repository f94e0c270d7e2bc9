import { expBounds, type Interval, logBounds, outward } from '../rational/interval.ts';
import { add, compare, divide, multiply, ONE, type Rational, rational, subtract } from '../rational/rational.ts';
import { basicComposition, type Guarantee } from './basic-composition.ts';
import { squareRootBounds } from './square-root.ts';

/** Bits of the bounds; they are 2^-100 apart or less for every ε up to 1000. */
const BITS = 192;

/**
 * How much a release loses on average, at most: `dwork-roth` ε·(e^ε − 1), as printed in Theorem 3.20 of Dwork and Roth
 * 2014; `tight` ε·(e^ε − 1)/(e^ε + 1), the true mean of the worst mechanism.
 */
export type Drift = 'dwork-roth' | 'tight';

/** Bounds on the mean loss of one release. */
function meanLoss(epsilon: Rational, drift: Drift): Interval {
  const power = expBounds(epsilon, BITS);
  const mean = (e: Rational) => {
    const excess = multiply(epsilon, subtract(e, ONE));
    return drift === 'tight' ? divide(excess, add(e, ONE)) : excess;
  };
  return { lower: mean(power.lower), upper: mean(power.upper) };
}

/**
 * Bounds on ε′ = ε·√(2K·ln(1/δ′)) + K·(mean loss): K releases of (ε, δ) are (ε′, K·δ + δ′). Dwork, Rothblum, Vadhan
 * 2010. Needs 0 < δ′ < 1; throws RangeError otherwise. It can be worse than the sum: use leastOfBasicAndAdvanced.
 */
export function advancedEpsilon(epsilon: Rational, releases: number, deltaPrime: Rational, drift: Drift): Interval {
  if (deltaPrime.numerator <= 0n || compare(deltaPrime, ONE) >= 0) {
    throw new RangeError('advanced composition needs a δ′ above 0 and below 1');
  }
  const times = rational(BigInt(releases));
  const log = logBounds(divide(ONE, deltaPrime), BITS);
  const mean = meanLoss(epsilon, drift);
  const total = (side: 'lower' | 'upper') => {
    const root = squareRootBounds(multiply(multiply(rational(2n), times), log[side]), BITS)[side];
    return add(multiply(epsilon, root), multiply(times, mean[side]));
  };
  return outward({ lower: total('lower'), upper: total('upper') }, BITS);
}

/** Advanced composition as a guarantee: ε′ rounded up. */
export function advancedComposition(
  { epsilon, delta }: Guarantee,
  releases: number,
  deltaPrime: Rational,
  drift: Drift = 'dwork-roth',
): Guarantee {
  const { upper } = advancedEpsilon(epsilon, releases, deltaPrime, drift);
  return { epsilon: upper, delta: add(multiply(rational(BigInt(releases)), delta), deltaPrime) };
}

/** The one of the two with the smaller ε; the sum also has the smaller δ. */
export function leastOfBasicAndAdvanced(
  guarantee: Guarantee,
  releases: number,
  deltaPrime: Rational,
  drift: Drift = 'dwork-roth',
): Guarantee {
  const basic = basicComposition(guarantee, releases);
  const advanced = advancedComposition(guarantee, releases, deltaPrime, drift);
  return compare(basic.epsilon, advanced.epsilon) <= 0 ? basic : advanced;
}
