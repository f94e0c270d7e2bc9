import { oncePer } from '../../../core/memory/function-cache.ts';
import { smallestFrom } from '../../../core/search/smallest-integer.ts';
import type { SymmetricLaw } from '../../../core/statistics/integer-sum.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';

/** P[a cell with this true count is not published]: 1 for an empty cell that has no noise. */
export function suppressionProbability(
  { model, scale, threshold, emptyCanShow }: DeclaredNoise,
  count: number,
): number {
  if (count === 0 && !emptyCanShow) return threshold === null ? 0 : 1;
  // count + X ≤ T − 1, and the noise is symmetric
  return threshold === null ? 0 : noiseTail(model, scale, count - threshold + 1);
}

/** Counts whose chance is kept: nearly all that are asked for, and those again and again. */
const MOST_KEPT = 2 ** 16;
const keptOf = oncePer((_: DeclaredNoise) => new Float64Array(MOST_KEPT).fill(Number.NaN));

/** suppressionProbability, computed once for each small count. */
function suppressionOf(noise: DeclaredNoise): (count: number) => number {
  const chances = keptOf(noise);
  return (count) => {
    if (count >= MOST_KEPT) return suppressionProbability(noise, count);
    if (Number.isNaN(chances[count]!)) chances[count] = suppressionProbability(noise, count);
    return chances[count]!;
  };
}

/**
 * The largest true count that would still be suppressed with a chance of at least 1 − confidence: with that confidence
 * a suppressed cell holds no more. Its absence alone reveals this much.
 */
export function suppressionLimit(noise: DeclaredNoise, confidence: number): number {
  // The chance falls as the count rises.
  return smallestFrom(1, (count) => suppressionProbability(noise, count) < 1 - confidence)! - 1;
}

/**
 * Likelihoods of the true counts of one suppressed cell, at `from`, `from + step`, …, scaled to add up to 1: entry i
 * stands for `step` counts. Other counts have next to none.
 */
export type CellLikelihood = { readonly from: number; readonly step: number; readonly weights: Float64Array };

/** A likelihood has at most this many entries. */
const MOST_ENTRIES = 8192;
/** Counts that are this much less likely than the likeliest are left out. */
const UNLIKELY = 1e-13;

/**
 * How likely each true count z of a suppressed cell is, given the difference D between a total and the published cells
 * that it covers besides this one: P[noise = D − z], times the chance that z is suppressed. Negative counts are ruled
 * out. In ranges too long for single counts, every k-th is looked at, more closely around the likeliest each time.
 * Cost: at most a few times 2^13 steps.
 */
export function cellLikelihood(
  difference: number,
  { width, chances }: SymmetricLaw,
  noise: DeclaredNoise,
): CellLikelihood {
  const half = (width - 1) / 2;
  const reach = (chances.length - 1) * width + half;
  const suppression = suppressionOf(noise);
  const weigh = (count: number): number =>
    (chances[Math.floor((Math.abs(difference - count) + half) / width)] ?? 0) * suppression(count);
  let [from, to] = [Math.max(0, difference - reach), Math.max(0, difference + reach)];
  for (;;) {
    const step = Math.ceil((to - from + 1) / MOST_ENTRIES);
    const weights = new Float64Array(Math.ceil((to - from + 1) / step));
    let total = 0;
    for (let at = 0; at < weights.length; at++) {
      weights[at] = weigh(from + at * step);
      total += weights[at]!;
    }
    // A difference that no count explains leaves 0 as the likeliest.
    if (total === 0) return { from: 0, step: 1, weights: Float64Array.of(1) };
    const isLikely = (weight: number): boolean => weight >= UNLIKELY * total;
    const [first, last] = [weights.findIndex(isLikely), weights.findLastIndex(isLikely)];
    // Between two entries the likelihood can hide no more than a step.
    const [closerFrom, closerTo] = [Math.max(from, from + (first - 1) * step), Math.min(to, from + (last + 1) * step)];
    if (step === 1 || 2 * (closerTo - closerFrom) > to - from)
      return { from, step, weights: weights.map((weight) => weight / total) };
    [from, to] = [closerFrom, closerTo];
  }
}

function likeliestEntry({ weights }: CellLikelihood): number {
  let most = 0;
  for (let at = 1; at < weights.length; at++) if (weights[at]! > weights[most]!) most = at;
  return most;
}

/** The likeliest true count. */
export const likeliest = (likelihood: CellLikelihood): number =>
  likelihood.from + likeliestEntry(likelihood) * likelihood.step;

/** The shortest run of counts around the likeliest that holds at least this share of the likelihood. */
export function likelihoodInterval(likelihood: CellLikelihood, share: number): [lower: number, upper: number] {
  const { from, step, weights } = likelihood;
  const middle = likeliestEntry(likelihood);
  let [lower, upper] = [middle, middle];
  let mass = weights[lower]!;
  while (mass < share && (lower > 0 || upper < weights.length - 1)) {
    const [below, above] = [weights[lower - 1] ?? -1, weights[upper + 1] ?? -1];
    if (below > above) lower -= 1;
    else upper += 1;
    mass += Math.max(below, above);
  }
  return [from + lower * step, from + (upper + 1) * step - 1];
}
