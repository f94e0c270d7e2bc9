import type { Tap } from './tap-tables.ts';

export const PRIVATIZED_TABLE_FORMAT = 'opaline-privatized-table/3';

/**
 * Counts at some places of a domain: (tap · times + time) · locations + location, by the places of the three in their
 * lists, and the count of each at the same index, a safe integer. Places ascend when the lists are in order. Counts are
 * exact before the draw, on the custodian side alone, and noisy after it.
 */
export type PlacedCounts = { readonly places: Uint32Array; readonly counts: Float64Array };

/** Sums of the noisy counts of whole hours that no cell shows; by the hours HH:00 in order, `labels`. */
export type HourCounts = PlacedCounts & { labels: readonly string[] };

/**
 * A safe integer for each tap and time, and for each tap and location, in the order of the domain; a list is empty where
 * the series has no such margin. Noisy margins can be negative (C8, C9).
 */
export type Totals = { time: Float64Array; location: Float64Array };

/** Remainder rows, and how they follow from the rest of the table. */
export type FittedTotals = Totals & { fit: 'level' };

/**
 * `taps`, `times` and `locations` are the public domain, each in code-unit order. A table holds nothing that is not
 * released: no digest of the input, no noise, no unpublished count. `hours` is null when the series has no hour rows,
 * `margins` and `remainder` when it has no margins; `leftOut` is absent when it does not count what a bound leaves out.
 */
export type PrivatizedTable = {
  format: typeof PRIVATIZED_TABLE_FORMAT;
  part: string;
  day: string;
  taps: readonly Tap[];
  times: readonly string[];
  locations: readonly string[];
  cells: PlacedCounts;
  hours: HourCounts | null;
  margins: Totals | null;
  /** Of each tap the noisy number that the bound of a card leaves out, each card clamped; can be negative. */
  leftOut?: Float64Array | undefined;
  remainder: FittedTotals | null;
};
