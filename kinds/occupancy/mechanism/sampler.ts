import { exactCoins } from '../../../core/random/coins.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';

/**
 * Draws the place of one category: exactly weight/sum is the probability of each, and one of weight 0 is never drawn. The
 * weights are not negative and their sum is positive. Proof: sampler.proof.md.
 */
export function drawCategory(weights: readonly bigint[], source: RandomSource): number {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  return categoryAt(weights, exactCoins(source).below(sum));
}

/** The first category whose cumulative weight is above a number in [0, sum). */
export function categoryAt(weights: readonly bigint[], number: bigint): number {
  let cumulative = 0n;
  return weights.findIndex((weight) => {
    cumulative += weight;
    return cumulative > number;
  });
}
