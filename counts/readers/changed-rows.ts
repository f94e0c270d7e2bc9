import { smallestFrom } from '../../core/search/smallest-integer.ts';
import { sumHalfWidth } from '../../core/statistics/integer-sum.ts';
import { noiseTail } from '../../core/statistics/noise-law.ts';
import type { NoiseOfCount } from '../mechanisms/mechanisms.ts';

/** Counts by the key of their row. */
export type RowCounts = ReadonlyMap<string, number>;

/** A row that noise does not explain; a count is null where the row is missing. */
export type ChangedRow = { key: string; earlier: number | null; later: number | null };

/** Rows of two draws that were compared, and those whose exact counts differ as far as the error rate shows. */
export type RowChanges = ReturnType<typeof findChanges>;

/**
 * Two draws of the same table, under the same noise (scale b or σ, in counts) and threshold; null: every row is
 * published. Where noise has a say in which rows there are, `most` is how many there can be.
 */
export type TwoDraws = {
  earlier: RowCounts;
  later: RowCounts;
  noise: NoiseOfCount;
  threshold: number | null;
  most?: number;
};

/**
 * Which rows of two independent draws differ by more than noise explains. P[any row of unchanged truth is named] ≤
 * errorRate, whatever the truth is (changed-rows.proof.md): differences of rows that both draws show are held against the
 * law of two noises, and a row that one draw alone shows is named when it is so far above the threshold that the other
 * draw would have shown it. Cost: O(rows).
 *
 * @contract C19
 */
export function findChanges({ earlier, later, noise, threshold, most }: TwoDraws, errorRate: number) {
  const both = [...earlier.keys()].filter((key) => later.has(key));
  const share = threshold === null ? errorRate : errorRate / 3;
  // A difference of more than this is named; null where no row is in both.
  const limit = both.length === 0 ? null : differenceLimit(noise, 1, share / (most ?? both.length));
  const rows: ChangedRow[] = both
    .map((key) => ({ key, earlier: earlier.get(key)!, later: later.get(key)! }))
    .filter((row) => Math.abs(row.later - row.earlier) > limit!);
  if (threshold !== null) {
    const losses = keysOnlyIn(earlier, later, { noise, threshold }, share);
    const gains = keysOnlyIn(later, earlier, { noise, threshold }, share);
    rows.push(...losses.map((key) => ({ key, earlier: earlier.get(key)!, later: null })));
    rows.push(...gains.map((key) => ({ key, earlier: null, later: later.get(key)! })));
  }
  return { compared: both.length, allowed: limit, changed: rows.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

/**
 * The greatest difference of two sums of `noises` noises each that is exceeded, either way, with a chance of at most
 * `chance` when the truth has not changed.
 */
export const differenceLimit = ({ model, scale }: NoiseOfCount, noises: number, chance: number): number =>
  sumHalfWidth(model, [[scale, 2 * noises]], 1 - chance).halfWidth;

/** Keys of rows that one draw shows and the other hides, though it would hide them with too small a chance. */
function keysOnlyIn(
  rows: RowCounts,
  others: RowCounts,
  { noise, threshold }: { noise: NoiseOfCount; threshold: number },
  errorRate: number,
): string[] {
  const least = threshold + excessOf(noise, errorRate / rows.size);
  return [...rows].filter(([key, count]) => count >= least && !others.has(key)).map(([key]) => key);
}

/** A row so far above the threshold is shown by one draw and hidden by the other with at most this chance. */
function excessOf({ model, scale }: NoiseOfCount, chance: number): number {
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return -scale * Math.log(chance);
    case 'discrete-gaussian': {
      const tail = (from: number): number => noiseTail(model, scale, from);
      return smallestFrom(
        0,
        (excess) => 2 * Math.max(tail(excess), tail(Math.floor((excess + 1) / 2)) ** 2) <= chance,
      )!;
    }
  }
}
