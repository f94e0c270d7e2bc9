/** How far draws are from the exact counts, in bits: mean, and the unbiased variance of one (0 for one draw). */
export type Distortion = { draws: number; mean: number; variance: number };

/**
 * KL(H‖H′) = Σ p·log₂(p/p′) in bits, p and p′ the parts of all rows in each cell by the counts and by the weights of a
 * draw (Oppermann (ed.) 2019, Section 5.2, steps 4 and 6 of Figure 25). Weights are positive; 0 where nothing is counted.
 * Both lists have one length. Cost: two passes over the cells.
 */
export function divergence(counts: ArrayLike<number>, weights: ArrayLike<number>): number {
  let [rows, total] = [0, 0];
  for (let cell = 0; cell < counts.length; cell += 1) {
    rows += counts[cell]!;
    total += weights[cell]!;
  }
  let bits = 0;
  for (let cell = 0; cell < counts.length; cell += 1) {
    const part = counts[cell]! / rows;
    if (part > 0) bits += part * Math.log2(part / (weights[cell]! / total));
  }
  return Math.max(0, bits);
}

/** Mean and variance of the divergences of several draws, one at least. */
export function distortionOf(divergences: readonly number[]): Distortion {
  const draws = divergences.length;
  const mean = divergences.reduce((sum, one) => sum + one, 0) / draws;
  const squares = divergences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { draws, mean, variance: draws === 1 ? 0 : squares / (draws - 1) };
}

/**
 * Safety of the first data set relative to the second: Δ₂/Δ₁, the less a draw has to distort it the safer it is (Figure
 * 25, step 7). Null where the first is not distorted at all.
 */
export const relativeSafety = (first: Pick<Distortion, 'mean'>, second: Pick<Distortion, 'mean'>): number | null =>
  first.mean === 0 ? null : second.mean / first.mean;
