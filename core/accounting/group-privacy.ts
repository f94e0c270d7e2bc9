import { expBounds } from '../rational/interval.ts';
import { compare, divide, multiply, ONE, type Rational, rational, subtract } from '../rational/rational.ts';
import type { Guarantee } from './basic-composition.ts';

const BITS = 192;

/**
 * What a release that is (ε, δ) for one unit is for m units of one person: m·ε in every case. δ is m·δ when no two of
 * the units share a cell, and δ·(e^(mε) − 1)/(e^ε − 1), rounded up and at most 1, when they may: the hybrid argument, a
 * unit at a time (Dwork and Roth 2014, Theorem 2.2 with δ). ε > 0; throws RangeError for m·ε above 65536.
 */
export function groupPrivacy(
  { epsilon, delta }: Guarantee,
  units: number,
): { epsilon: Rational; deltaApart: Rational; deltaTogether: Rational } {
  const times = rational(BigInt(units));
  const group = multiply(times, epsilon);
  const over = subtract(expBounds(group, BITS).upper, ONE);
  const under = subtract(expBounds(epsilon, BITS).lower, ONE);
  const together = units === 1 ? delta : multiply(delta, divide(over, under));
  return {
    epsilon: group,
    deltaApart: multiply(times, delta),
    deltaTogether: compare(together, ONE) > 0 ? ONE : together,
  };
}
