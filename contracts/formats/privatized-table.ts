import { z } from 'zod';
import { isTap, type Tap } from '../names.ts';

/**
 * The draw of one partition, as it is stored write-once (C11), in two generations. What is written is the second, a
 * draft until publications are frozen; the first is read for ever, and is given in the form of the second: its part is
 * what it calls its mode, it has no hour rows, and its remainders are those of the weighted fit.
 */

/** The format of tables that are drawn now. */
export const PRIVATIZED_TABLE_FORMAT = 'opaline-privatized-table/2-draft';

/** One published cell: (tap, time label HH:MM, location, noisy count). */
export type PrivatizedCell = [tap: Tap, time: string, location: string, count: number];

/** A published hour row: (tap, hour HH, location, sum of the noisy counts of that hour and place that no cell shows). */
export type HourRow = [tap: Tap, hour: string, location: string, count: number];

/** A noisy margin, or a fitted remainder row: (tap, time label or location, count). Margins can be negative. */
export type MarginRow = [tap: Tap, key: string, count: number];

/** Noisy number of the taps of one end that the bound of a card leaves out, each card clamped; can be negative. */
export type LeftOutRow = [tap: Tap, count: number];

/** Noisy margins over the public domains, or the remainder rows fitted to them (C8, C9). */
export type Margins = { time: MarginRow[]; location: MarginRow[] };

/** Remainder rows, and how they follow from the rest of the table: by levels, or as in the first generation. */
export type FittedMargins = Margins & { fit: 'level' | 'weighted' };

/**
 * All rows are in lexicographic order. A table holds nothing that is not released: no digest of the input, no noise, no
 * unpublished count. `hours` is null when the series has no hour rows, `margins` and `remainder` when it has no margins;
 * `leftOut` is absent when it does not count what a bound leaves out.
 */
export type PrivatizedTable = {
  format: 'opaline-privatized-table/1' | typeof PRIVATIZED_TABLE_FORMAT;
  part: string;
  day: string;
  cells: PrivatizedCell[];
  hours: HourRow[] | null;
  margins: Margins | null;
  leftOut?: LeftOutRow[] | undefined;
  remainder: FittedMargins | null;
};

/** Rows of labels and a count, of which the first label is a tap: there can be millions, and each has to be cheap. */
const rowsOf = <Row>(labels: number) =>
  z.custom<Row[]>(
    (rows) =>
      Array.isArray(rows) &&
      rows.every(
        (row) =>
          Array.isArray(row) &&
          row.length === labels + 1 &&
          isTap(row[0]) &&
          row.every((field, place) => (place < labels ? typeof field === 'string' : Number.isSafeInteger(field))),
      ),
  );

const sides = { time: rowsOf<MarginRow>(2), location: rowsOf<MarginRow>(2) };
const drawn = { day: z.iso.date(), cells: rowsOf<PrivatizedCell>(3), margins: z.strictObject(sides).nullable() };

const first = z
  .strictObject({
    ...drawn,
    format: z.literal('opaline-privatized-table/1'),
    mode: z.string(),
    remainder: z.strictObject(sides).nullable(),
  })
  .transform(({ mode, remainder, ...table }) => ({
    ...table,
    part: mode,
    hours: null,
    remainder: remainder && { fit: 'weighted' as const, ...remainder },
  }));

const second = z.strictObject({
  ...drawn,
  format: z.literal(PRIVATIZED_TABLE_FORMAT),
  part: z.string(),
  hours: rowsOf<HourRow>(3).nullable(),
  leftOut: rowsOf<LeftOutRow>(1).optional(),
  remainder: z.strictObject({ fit: z.literal('level'), ...sides }).nullable(),
});

export const privatizedTableSchema: z.ZodType<PrivatizedTable> = z.discriminatedUnion('format', [first, second]);
