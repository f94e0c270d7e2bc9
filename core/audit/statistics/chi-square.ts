/** Pearson's statistic Σ (O−E)²/E of counts against the chances of their bins. */
export function pearsonStatistic(counts: readonly number[], chances: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count, bin) => {
    const expected = total * chances[bin]!;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

/** The likelihood-ratio statistic G = 2·Σ O·ln(O/E), natural log; an empty bin adds 0. */
export function likelihoodRatioStatistic(counts: readonly number[], chances: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce(
    (sum, count, bin) => (count === 0 ? sum : sum + 2 * count * Math.log(count / (total * chances[bin]!))),
    0,
  );
}

/**
 * P[χ² ≥ x] for an even number 2m of degrees of freedom, exactly: e^(−x/2)·Σ_{i<m} (x/2)^i/i!, a sum of positive terms.
 *
 * Of the two statistics above it is the limit for long samples only, so it may be shown but decides nothing: tests
 * that decide use goodness-of-fit.ts. Throws RangeError for odd degrees.
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (degrees <= 0 || degrees % 2 !== 0) throw new RangeError('degrees of freedom are an even number here');
  if (x <= 0) return 1;
  const half = x / 2;
  // Each term on its own scale, so that a long sum of a large x does not underflow.
  let logTerm = -half;
  let sum = 0;
  for (let i = 0; i < degrees / 2; i += 1) {
    if (i > 0) logTerm += Math.log(half / i);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
