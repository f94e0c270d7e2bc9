/** A square matrix by rows: original columns down, other columns across. All values are in bits. */
export type Matrix = readonly (readonly number[])[];

/**
 * μ = I(X;Y)/H(X), the part of the information of a column X, from 0 to 1, that its generalised form Y keeps (Oppermann
 * (ed.) 2019, Section 2.3). Null for a column with one value: it has nothing to keep.
 */
export const informationShare = (mutual: number, entropy: number): number | null =>
  entropy === 0 ? null : Math.min(1, mutual / entropy);

/**
 * Loss of mutual information, in bits, under a generalisation x → x′: I(x_i;x_j) − I(x_i;x′_j) for every pair, and its
 * sum (Section 3.3, Figure 13: "matrix of mutual information loss"). Both matrices have one shape.
 */
export function informationLoss(original: Matrix, coarse: Matrix): { matrix: Matrix; total: number } {
  const matrix = original.map((row, i) => row.map((value, j) => value - coarse[i]![j]!));
  return { matrix, total: matrix.flat().reduce((sum, value) => sum + value, 0) };
}
