/**
 * A valid p-value of "all of these hypotheses hold" from valid p-values of each, however they depend on each other: the
 * smallest times their number (bonferroni.proof.md). 1 for an empty list.
 */
export const bonferroni = (pValues: readonly number[]): number =>
  Math.min(1, ...pValues.map((pValue) => pValue * pValues.length));
