/**
 * Levels of the bands of a column (Oppermann (ed.) 2019, Figure 8) and of the rows: RIG95, the personal information
 * factor of the table, is the level 95 % (Section 2.2 and Appendix A).
 */
export const LEVELS = {
  minimum: 0,
  lowerQuartile: 0.25,
  median: 0.5,
  upperQuartile: 0.75,
  percentile95: 0.95,
  maximum: 1,
} as const;

export type Level = keyof typeof LEVELS;
/** Values at the levels, and their mean. */
export type Bands = Record<Level | 'mean', number>;

/** A value and how many rows have it, in rising order of values. */
export type Runs = readonly (readonly [value: number, rows: number])[];

/**
 * The two order statistics, counted from 0, around the position q·(n − 1) of n ≥ 1 values, and the weight of the upper.
 */
export function ranksAt(level: number, rows: number): { lower: number; upper: number; weight: number } {
  const position = level * (rows - 1);
  const lower = Math.floor(position);
  return { lower, upper: Math.ceil(position), weight: position - lower };
}

/**
 * The value of a rank, counted from `before`, the number of rows below the first run. Throws RangeError beyond the runs.
 */
export function valueAtRank(runs: Runs, rank: number, before = 0): number {
  let sum = before;
  for (const [value, rows] of runs) {
    sum += rows;
    if (rank < sum) return value;
  }
  throw new RangeError(`no value has the rank ${rank}`);
}
