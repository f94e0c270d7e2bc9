import { gaussianThresholds } from '../../core/random/gaussian-thresholds.ts';
import { laplaceThresholds } from '../../core/random/laplace-thresholds.ts';
import { type Interval, isBelowLimit } from '../../core/rational/interval.ts';
import { compare, multiply, ONE, type Rational, rational, subtract } from '../../core/rational/rational.ts';
import { smallestFrom } from '../../core/search/smallest-integer.ts';

/** The noise of a published number: its law, and exactly b in taps, or σ². */
export type ExactNoise = { readonly law: keyof typeof THRESHOLDS; readonly amount: Rational };

const THRESHOLDS = { 'discrete-laplace': laplaceThresholds, 'discrete-gaussian': gaussianThresholds } as const;

/** Integers from lowest to highest, both included. */
export type IntegerInterval = { readonly lowest: number; readonly highest: number };

/**
 * What a published margin says about the exact count: the shortest interval
 * count ± h with P[the interval misses] ≤ 1 − confidence, whatever the exact count is (C19). The probability is over
 * the noise. It is no statement about fitted remainder rows.
 *
 * Throws RangeError unless 0 < confidence < 1, or when the noise is out of the range of its law.
 *
 * @contract C19
 */
export function interval(count: number, confidence: Rational, noise: ExactNoise): IntegerInterval {
  const halfWidth = halfWidthOf(confidence, noise);
  return { lowest: count - halfWidth, highest: count + halfWidth };
}

/**
 * What a published cell of a stability histogram says about the exact count: as interval, cut at 1, since a cell
 * without a tap is never published. P[the cell is published and the interval misses] ≤ 1 − confidence, whatever the
 * exact count is. The share of misses among published cells alone can be larger: it is not claimed.
 *
 * @contract C19
 */
export function cellInterval(count: number, confidence: Rational, noise: ExactNoise): IntegerInterval {
  const { lowest, highest } = interval(count, confidence, noise);
  return { lowest: Math.max(1, lowest), highest };
}

/**
 * What a published cell of a complete domain says about the exact count, with a floor or without: as interval, cut at 0,
 * since no count is negative. P[the cell is published and the interval misses] ≤ 1 − confidence, whatever the exact
 * count is. A count so low that nothing is left of the interval keeps its upper end.
 *
 * @contract C19
 */
export function domainCellInterval(count: number, confidence: Rational, noise: ExactNoise): IntegerInterval {
  const { lowest, highest } = interval(count, confidence, noise);
  return { lowest: Math.min(Math.max(0, lowest), highest), highest };
}

/**
 * What a missing cell of a stability histogram, or of a complete domain with a floor, says: an exact count above
 * `highest` is missing with probability at
 * most 1 − confidence, and `highest` is the smallest such number. Throws RangeError unless 1/2 ≤ confidence < 1.
 *
 * @contract C19
 */
export function absenceInterval(threshold: number, confidence: Rational, noise: ExactNoise): IntegerInterval {
  if (compare(confidence, rational(1n, 2n)) < 0)
    throw new RangeError('a missing cell is judged at a confidence of at least 1/2');
  // A count of T − 1 + m is missing with probability P[X ≥ m], half of P[|X| ≥ m].
  const miss = multiply(rational(2n), missProbability(confidence));
  return { lowest: 0, highest: threshold - 2 + smallestTail(miss, noise) };
}

/** Smallest h with P[|X| > h] ≤ 1 − confidence. */
const halfWidthOf = (confidence: Rational, noise: ExactNoise): number =>
  smallestTail(missProbability(confidence), noise) - 1;

function missProbability(confidence: Rational): Rational {
  if (confidence.numerator <= 0n || compare(confidence, ONE) >= 0)
    throw new RangeError('a confidence is between 0 and 1, such as 0.95');
  return subtract(ONE, confidence);
}

/** Smallest m ≥ 1 with P[|X| ≥ m] ≤ probability: the tail falls in m, and is irrational. */
function smallestTail(probability: Rational, { law, amount }: ExactNoise): number {
  const thresholds = THRESHOLDS[law](amount);
  const tail = (m: number, bits: number): Interval => {
    const { lower, upper } = thresholds(2 * m - 2, bits);
    return { lower: rational(lower, 1n << BigInt(bits)), upper: rational(upper, 1n << BigInt(bits)) };
  };
  return smallestFrom(1, (m) => isBelowLimit(probability, (bits) => tail(m, bits)))!;
}
