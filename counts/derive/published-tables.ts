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
 * Each table of a release by itself, as it is published: the chosen ones, and all that the privacy parameters call for;
 * null for one that is not published. Rows of times and rows of places count the same taps, and so are tables of their
 * own: the counts of each table add up. Cost: O(rows).
 */
export function publishedTables(
  { cells, time, location, hours, remainder, margins, leftOut }: DerivedTables,
  chosen: readonly Table[],
): Record<PublishedTable, CountTable | null> {
  const ifChosen = (name: Table, table: CountTable) => (chosen.includes(name) ? table : null);
  const side = (table: CountTable | null, kind: 'time' | 'location') => {
    const rows = sideOf(table ?? NO_ROWS, kind);
    return rows.count.length > 0 ? rows : null;
  };
  return {
    'time-location': ifChosen('time-location', cells),
    time: ifChosen('time', time),
    location: ifChosen('location', location),
    hours,
    'remainder-time': side(remainder, 'time'),
    'remainder-location': side(remainder, 'location'),
    'margins-time': side(margins, 'time'),
    'margins-location': side(margins, 'location'),
    'left-out': leftOut,
  };
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
