import type { PublishedTable, Table } from '../../contracts/names.ts';
import { type CountTable, countTableBuilder, isOrdered, NO_ROWS, ordered } from './count-table.ts';
import type { CsvShape } from './csv.ts';
import { sideOf } from './lines.ts';
import type { DerivedTables } from './tables.ts';

/** The columns of each table. */
export const TABLE_SHAPES: Readonly<Record<PublishedTable, CsvShape>> = {
  'time-location': 'time-location',
  time: 'time',
  location: 'location',
  hours: 'hours',
  'remainder-time': 'time',
  'remainder-location': 'location',
  'margins-time': 'time',
  'margins-location': 'location',
  'left-out': 'left-out',
};

/**
 * Each table of a release by itself, as it is published: the chosen ones, and all that the privacy parameters call for.
 * Rows of times and rows of places count the same taps, and so are tables of their own: the counts of each table add up.
 * Cost: O(rows).
 */
export function publishedTables(
  { cells, time, location, hours, remainder, margins, leftOut }: DerivedTables,
  chosen: readonly Table[],
): Map<PublishedTable, CountTable> {
  const choice = { 'time-location': cells, time, location };
  const sides: [PublishedTable, CountTable][] = [
    ['remainder-time', sideOf(remainder ?? NO_ROWS, 'time')],
    ['remainder-location', sideOf(remainder ?? NO_ROWS, 'location')],
    ['margins-time', sideOf(margins ?? NO_ROWS, 'time')],
    ['margins-location', sideOf(margins ?? NO_ROWS, 'location')],
  ];
  return new Map<PublishedTable, CountTable>([
    ...chosen.map((name): [Table, CountTable] => [name, choice[name]]),
    ...(hours ? ([['hours', hours]] as const) : []),
    ...sides.filter(([, { count }]) => count.length > 0),
    ...(leftOut ? ([['left-out', leftOut]] as const) : []),
  ]);
}

/** Two tables as one: in order when both are, and as they come otherwise. */
export function joined(a: CountTable, b: CountTable): CountTable {
  const rows = countTableBuilder(a.count.length + b.count.length);
  for (const { slices, times, locations, ...codes } of [a, b])
    for (let at = 0; at < codes.count.length; at++) {
      const { mode, day, tap } = slices[codes.slice[at]!]!;
      rows.add(mode, day, tap, times[codes.time[at]!]!, locations[codes.location[at]!]!, codes.count[at]!);
    }
  const both = rows.table();
  return isOrdered(a) && isOrdered(b) ? ordered(both) : both;
}
