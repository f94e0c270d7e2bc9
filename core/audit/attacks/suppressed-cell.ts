import { type SymmetricLaw, sumProbability } from '../statistics/integer-sum.ts';
import { noiseTail } from '../statistics/noise-law.ts';
import type { DeclaredNoise } from '../statistics/pair-laws.ts';

/** P[a cell with this true count is not published]: 1 for an empty cell, which never is. */
export function suppressionProbability({ model, scale, threshold }: DeclaredNoise, count: number): number {
  if (count === 0) return threshold === null ? 0 : 1;
  // count + X ≤ T − 1, and the noise is symmetric
  return threshold === null ? 0 : noiseTail(model, scale, count - threshold + 1);
}

/**
 * The largest true count that would still be suppressed with a chance of at least 1 − confidence: with that confidence
 * a suppressed cell holds no more. This much its absence tells by itself.
 */
export function suppressionLimit(noise: DeclaredNoise, confidence: number): number {
  let count = noise.threshold ?? 0;
  while (suppressionProbability(noise, count + 1) >= 1 - confidence) count += 1;
  while (count > 0 && suppressionProbability(noise, count) < 1 - confidence) count -= 1;
  return count;
}

/** Likelihoods of the true counts 0, 1, 2, … of one suppressed cell, scaled to add up to 1. */
export type CellLikelihood = readonly number[];

/**
 * How likely each true count z of a suppressed cell is, given the difference D between a total and the published cells
 * that it covers besides this one: P[noise = D − z], times the chance that z is suppressed. Negative counts are ruled out.
 */
export function cellLikelihood(
  difference: number,
  noiseOfDifference: SymmetricLaw,
  noise: DeclaredNoise,
): CellLikelihood {
  const last = Math.max(0, difference + noiseOfDifference.length - 1);
  const weights = Array.from(
    { length: last + 1 },
    (_, count) => sumProbability(noiseOfDifference, difference - count) * suppressionProbability(noise, count),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // A difference so far below 0 that no count explains it leaves 0 as the likeliest.
  return total === 0 ? [1] : weights.map((weight) => weight / total);
}

/** The likeliest true count. */
export const likeliest = (likelihood: CellLikelihood): number => likelihood.indexOf(Math.max(...likelihood));

/** The shortest run of counts around the likeliest that holds at least this share of the likelihood. */
export function likelihoodInterval(likelihood: CellLikelihood, share: number): [lower: number, upper: number] {
  let [lower, upper] = [likeliest(likelihood), likeliest(likelihood)];
  let held = likelihood[lower]!;
  while (held < share && (lower > 0 || upper < likelihood.length - 1)) {
    const [below, above] = [likelihood[lower - 1] ?? -1, likelihood[upper + 1] ?? -1];
    if (below > above) lower -= 1;
    else upper += 1;
    held += Math.max(below, above);
  }
  return [lower, upper];
}
