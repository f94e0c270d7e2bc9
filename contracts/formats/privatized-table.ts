import type { Tap } from '../names.ts';

/** One published cell: (tap, time label HH:MM, location, noisy count ≥ T). */
export type PrivatizedCell = [tap: Tap, time: string, location: string, count: number];

/** A noisy margin, or a fitted remainder row: (tap, time label or location, count). Margins can be negative. */
export type MarginRow = [tap: Tap, key: string, count: number];

/** Noisy margins over the public domains, and the remainder rows fitted to them (C8, C9). */
export type Margins = { time: MarginRow[]; location: MarginRow[] };

/**
 * The draw of one partition, as it is stored write-once (C11). All rows in lexicographic order. It holds nothing that
 * is not released: no digest of the input, no noise, no unpublished count. `margins` and `remainder` are null when the
 * series publishes none.
 */
export type PrivatizedTable = {
  format: 'opaline-privatized-table/1';
  mode: string;
  day: string;
  cells: PrivatizedCell[];
  margins: Margins | null;
  remainder: Margins | null;
};
