import { unitsDown, unitsUp } from '../rational/fixed-point.ts';
import { expBounds } from '../rational/interval.ts';
import type { Rational } from '../rational/rational.ts';

/** Probabilities are integers in units of 2^−192, about 10^−58, rounded up unless stated otherwise. */
export const PROBABILITY_BITS = 192n;
/** Probability 1. */
export const CERTAIN = 1n << PROBABILITY_BITS;
/** Factors e^(−x) are integers in units of 2^−256. */
export const FACTOR_BITS = 256n;

/** e^(−x) for x ≥ 0, in units of 2^−256, from below and from above. */
export function decay({ numerator, denominator }: Rational): { lower: bigint; upper: bigint } {
  const { lower, upper } = expBounds({ numerator: -numerator, denominator }, Number(FACTOR_BITS) + 8);
  return { lower: unitsDown(lower, FACTOR_BITS), upper: unitsUp(upper, FACTOR_BITS) };
}
