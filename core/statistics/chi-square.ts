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
