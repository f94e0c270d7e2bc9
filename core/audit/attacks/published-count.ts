import { noiseProbability, noiseTail } from '../statistics/noise-law.ts';
import type { DeclaredNoise } from '../statistics/pair-laws.ts';

/** What becomes of a true count: the chance that it is published, and mean and variance of what stands there (else 0). */
export type PublishedCount = { published: number; mean: number; variance: number };

/** Noise beyond this many scales weighs less than 1e-30. */
const FAR = 80;

/** The fate of one true count under the declared noise and threshold; an empty cell is never published. */
export function publishedCount({ model, scale, threshold }: DeclaredNoise, count: number): PublishedCount {
  const reach = Math.ceil(FAR * scale);
  if (count === 0 && threshold !== null) return { published: 0, mean: 0, variance: 0 };
  const least = threshold === null ? count - reach : Math.max(threshold, count - reach);
  const last = Math.max(count, least) + reach;
  const published = threshold === null ? 1 : noiseTail(model, scale, threshold - count);
  let [mean, square] = [0, 0];
  for (let value = last; value >= least; value -= 1) {
    const chance = noiseProbability(model, scale, value - count);
    mean += value * chance;
    square += value * value * chance;
  }
  return { published, mean, variance: square - mean * mean };
}
