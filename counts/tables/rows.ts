import type { FittedTotals, HourCounts, PlacedCounts, PrivatizedTable, Totals } from './columns.ts';
import type { Tap } from './tap-tables.ts';

/**
 * A privatized table as rows, which is handy for tables of few rows. Columns hold the same (columns.ts).
 */

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

/** The rows of a table, each list in lexicographic order. */
export type TableRows = Pick<PrivatizedTable, 'format' | 'part' | 'day'> & {
  cells: PrivatizedCell[];
  hours: HourRow[] | null;
  margins: Margins | null;
  leftOut?: LeftOutRow[] | undefined;
  remainder: (Margins & Pick<FittedTotals, 'fit'>) | null;
};

/** The rows of a table of few rows. */
export function rowsOfTable(table: PrivatizedTable): TableRows {
  const { format, part, day, taps, times, locations, cells, hours, margins, leftOut, remainder } = table;
  const rows = ({ places, counts }: PlacedCounts, labels: readonly string[]): PrivatizedCell[] =>
    [...places].map((place, at) => {
      const line = Math.floor(place / locations.length);
      const [tap, label] = [taps[Math.floor(line / labels.length)]!, labels[line % labels.length]!];
      return [tap, label, locations[place % locations.length]!, counts[at]!];
    });
  const side = (counts: Float64Array, keys: readonly string[]): MarginRow[] =>
    [...counts].map((count, at) => [taps[Math.floor(at / keys.length)]!, keys[at % keys.length]!, count]);
  const sides = ({ time, location }: Totals): Margins => ({
    time: side(time, times),
    location: side(location, locations),
  });
  const hourRows = ({ labels, ...counts }: HourCounts): HourRow[] => rows(counts, labels);
  return {
    ...{ format, part, day },
    cells: rows(cells, times),
    hours: hours && hourRows(hours),
    margins: margins && sides(margins),
    ...(leftOut && { leftOut: taps.map((tap, at): LeftOutRow => [tap, leftOut[at]!]) }),
    remainder: remainder && { fit: remainder.fit, ...sides(remainder) },
  };
}
