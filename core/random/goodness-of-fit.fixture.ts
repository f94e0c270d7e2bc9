/** Observed counts of the bins X ≤ −limit, −limit+1, …, limit−1, X ≥ limit. */
export function countBins(draws: Iterable<number>, limit: number): number[] {
  const counts = new Array<number>(2 * limit + 1).fill(0);
  for (const draw of draws) counts[Math.max(-limit, Math.min(limit, draw)) + limit]! += 1;
  return counts;
}

/** Probabilities of the same bins by the closed form, in floating point. */
export function binProbabilities(scale: number, limit: number): number[] {
  const alpha = Math.exp(-1 / scale);
  return Array.from({ length: 2 * limit + 1 }, (_, place) => {
    const magnitude = Math.abs(place - limit);
    return (alpha ** magnitude / (1 + alpha)) * (magnitude === limit ? 1 : 1 - alpha);
  });
}

/** G = 2·Σ O·ln(O/E) of the counts against the probabilities. */
export function gStatistic(counts: readonly number[], probabilities: readonly number[]): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  return 2 * counts.reduce((sum, o, bin) => (o === 0 ? sum : sum + o * Math.log(o / (n * probabilities[bin]!))), 0);
}

/** Pearson's Σ (O−E)²/E. */
export function chiSquare(counts: readonly number[], probabilities: readonly number[]): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, o, bin) => sum + (o - n * probabilities[bin]!) ** 2 / (n * probabilities[bin]!), 0);
}
