import { type IntegerNoise, noiseProbability } from './noise-law.ts';
import type { SizeLaw } from './sum-test.ts';

/** The noise that a publication declares: its law, its scale b, and the threshold T (null: nothing is suppressed). */
export type DeclaredNoise = { readonly model: IntegerNoise; readonly scale: number; readonly threshold: number | null };

/** Two published counts whose truth is the same. */
export type EqualPair = readonly [first: number, second: number];

/** Noise beyond this many scales has a probability under 1e-21. */
const REACH = 50;
/** Pairs whose mean lies this many scales above the threshold have all but lost the effect of suppression. */
const CLEAR = 8;

/**
 * The least mean of a pair that counts as clear of the threshold: T + 8b, rounded up to a half. With a half, a pair just
 * at the limit is never one of two equal counts: those would make the worst law far narrower than all others.
 */
export const clearMean = ({ scale, threshold }: DeclaredNoise): number =>
  threshold === null ? Number.NEGATIVE_INFINITY : Math.ceil(threshold + CLEAR * scale) + 0.5;

export const isClear = (noise: DeclaredNoise, [first, second]: EqualPair): boolean =>
  (first + second) / 2 >= clearMean(noise);

/** Weights of the sizes |X − Y| = 0, 1, 2, … of a pair: the chance that it has that size and is seen. */
export type PairWeights = (truth: number, leastMean: number) => number[];

/**
 * Of pairs of equal truth: the chance of each size |X − Y| together with both counts being published and their mean
 * being at least `leastMean`.
 */
export function pairWeights({ model, scale, threshold }: DeclaredNoise): PairWeights {
  const reach = reachOf(scale);
  const noise = Array.from({ length: 2 * reach + 1 }, (_, index) => noiseProbability(model, scale, index - reach));
  const sums = Array.from({ length: 2 * reach + 1 }, (_, size) => sumsFromAbove(noise, size));
  return (truth, leastMean) =>
    sums.map((bySmaller, size) => {
      const least = Math.max((threshold ?? Number.NEGATIVE_INFINITY) - truth, Math.ceil(leastMean - truth - size / 2));
      return bySmaller[Math.max(0, least + reach)] ?? 0;
    });
}

const reachOf = (scale: number): number => Math.ceil(REACH * scale) + 2;

/**
 * All truths of which the law of a seen pair can differ: below T all give the law of T−1; above the mean that is asked
 * for and the reach of the noise, nothing is cut off any more. Without a threshold all truths are alike.
 */
export function differingTruths({ scale, threshold }: DeclaredNoise, leastMean: number): number[] {
  if (threshold === null) return [0];
  const last = Math.ceil(Math.max(threshold, leastMean)) + reachOf(scale);
  return Array.from({ length: last - threshold + 2 }, (_, index) => threshold - 1 + index);
}

/**
 * Every law that |X − Y| can have for a pair of equal truth, both counts published and their mean at least
 * `leastMean`: which pairs we see depends on the noise, so the law depends on a truth that nobody outside knows. Tests
 * take the worst of them (pair-laws.proof.md).
 */
export function pairLaws(noise: DeclaredNoise, leastMean: number): SizeLaw[] {
  const weights = pairWeights(noise);
  return differingTruths(noise, leastMean).map((truth) => normalised(weights(truth, leastMean)));
}

/** Entry i: the chance of a pair with sizes apart, the smaller noise being at least that of place i. */
function sumsFromAbove(noise: readonly number[], size: number): number[] {
  const sums: number[] = Array<number>(noise.length - size).fill(0);
  let sum = 0;
  for (let place = sums.length - 1; place >= 0; place -= 1) {
    sum += (size === 0 ? 1 : 2) * noise[place]! * noise[place + size]!;
    sums[place] = sum;
  }
  return sums;
}

function normalised(weights: readonly number[]): SizeLaw {
  const total = weights.reduceRight((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
