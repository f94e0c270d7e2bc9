/**
 * Fisher's combination of p-values: P[χ² with 2m degrees of freedom ≥ −2·Σ ln p]. It is a valid p-value if each p-value
 * is valid given all those before it in the list, as independent ones are (fisher.proof.md). 1 for an empty list.
 */
export function fisherCombination(pValues: readonly number[]): number {
  if (pValues.length === 0) return 1;
  const statistic = pValues.reduce((sum, pValue) => sum - 2 * Math.log(pValue), 0);
  return Number.isFinite(statistic) ? chiSquareTail(statistic, 2 * pValues.length) : 0;
}

/**
 * P[χ² ≥ x] for an even number 2m of degrees of freedom, exactly: e^(−x/2)·Σ_{i<m} (x/2)^i/i!, a sum of positive terms.
 * Throws RangeError for odd degrees.
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
