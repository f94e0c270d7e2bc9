/** Counts of the values of a column, or their probabilities: only their ratios matter. */
export type Distribution = ReadonlyMap<string, number>;

const total = (distribution: Distribution): number =>
  [...distribution.values()].reduce((sum, weight) => sum + weight, 0);

/**
 * Cell information gain in bits: KL(posterior ‖ prior), what somebody learns of one cell who knows the other columns of
 * its row (Oppermann (ed.) 2019, Section 2.1 and Appendix A). `matching` holds the values of the column among the rows
 * that agree with this row in all columns that are known; `prior` those in the whole table, or in the population: it has
 * to give every matching value a weight. With `accuracy` a below 1 the posterior is a·matching + (1 − a)·prior (Appendix
 * A, "Feature accuracy").
 *
 * Throws RangeError when a matching value has no prior.
 */
export function cellInformation(matching: Distribution, prior: Distribution, accuracy = 1): number {
  const [rows, weights] = [total(matching), total(prior)];
  for (const value of matching.keys())
    if (!((prior.get(value) ?? 0) > 0)) throw new RangeError('a value of the column has no prior probability');
  let bits = 0;
  for (const [value, weight] of prior) {
    const before = weight / weights;
    const after = (accuracy * (matching.get(value) ?? 0)) / rows + (1 - accuracy) * before;
    if (after > 0) bits += after * Math.log2(after / before);
  }
  return Math.max(0, bits);
}
