import { chiSquareTail } from './chi-square.ts';

/**
 * Fisher's combination of p-values: P[χ² with 2m degrees of freedom ≥ −2·Σ ln p]. It is a valid p-value if each p-value
 * is valid given all those before it in the list, as independent ones are (fisher.proof.md). 1 for an empty list.
 */
export function fisherCombination(pValues: readonly number[]): number {
  if (pValues.length === 0) return 1;
  const statistic = pValues.reduce((sum, pValue) => sum - 2 * Math.log(pValue), 0);
  return Number.isFinite(statistic) ? chiSquareTail(statistic, 2 * pValues.length) : 0;
}
