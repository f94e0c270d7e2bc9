import { type IntegerNoise, noiseProbability, noiseTail } from '../../core/statistics/noise-law.ts';
import type { IntegerInterval } from '../mechanisms/count-interval.ts';
import { convolve } from './expected-utility.ts';

/** More than rounding can do to a chance here: it goes against the claim. */
const ROUNDING = 1e-9;

/**
 * What a published hour row says of the exact number of taps in the cells that it covers, of at most `bins` cells with
 * noise of this scale: count ± h, cut at 0. P[the row is published and the interval misses] ≤ 1 − confidence, whatever
 * the exact counts are and whichever cells the row covers: h is such that the sizes of all the noise of the hour add up
 * to more than h with at most that chance (hour-row-interval.proof.md). It is wider than need be. `scale` is in taps,
 * b or σ, 0 < confidence < 1. Cost: O(bins·h²) steps.
 *
 * @contract C19
 */
export function hourRowInterval(
  count: number,
  confidence: number,
  { model, scale }: { readonly model: IntegerNoise; readonly scale: number },
  bins: number,
): IntegerInterval {
  const miss = 1 - confidence - ROUNDING;
  let reach = 1;
  // Beyond its reach one noise value counts as a miss.
  while (2 * bins * noiseTail(model, scale, reach + 1) > miss / 1000) reach *= 2;
  const size = (x: number): number => (x === 0 ? 1 : 2) * noiseProbability(model, scale, x);
  const sizes = Array.from({ length: reach + 1 }, (_, x) => size(x));
  let sums = [1];
  for (let bin = 0; bin < bins; bin++) sums = convolve(sums, sizes);
  let [halfWidth, mass] = [0, sums[0]!];
  while (mass < 1 - miss) {
    halfWidth += 1;
    mass += sums[halfWidth]!;
  }
  return { lowest: Math.max(0, count - halfWidth), highest: count + halfWidth };
}
