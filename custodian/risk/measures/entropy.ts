/** How often counts occur: `[3, 2]` stands for two values that are each in three rows. Counts are at least 1. */
export type CountsOfCounts = Iterable<readonly [count: number, values: number]>;

/**
 * Shannon entropy, in bits, of a column (or of several columns together) of n rows whose values have these counts:
 * log2 n − Σ c·log2 c / n; 0 without rows. Oppermann (ed.) 2019, "Privacy Preserving Data Sharing Frameworks", Section
 * 2.3. Counts of counts are few, at most about √(2n), whatever the table is.
 */
export function entropy(counts: CountsOfCounts): number {
  let [rows, sum] = [0, 0];
  for (const [count, values] of counts) {
    rows += count * values;
    sum += values * count * Math.log2(count);
  }
  return rows === 0 ? 0 : Math.max(0, Math.log2(rows) - sum / rows);
}

/**
 * I(X;Y) = H(X) + H(Y) − H(X,Y) in bits, from the three entropies (Section 2.3). Never below 0, which rounding could
 * make of independent columns.
 */
export const mutualInformation = (first: number, second: number, joint: number): number =>
  Math.max(0, first + second - joint);
