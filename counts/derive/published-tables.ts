import type { PublishedTable, Table } from '../tables/tap-tables.ts';
import { type CountTable, NO_ROWS } from './count-table.ts';
import { sideOf } from './table-lines.ts';
import type { ReleaseTables } from './tables.ts';

/**
 * Each table of a release by itself, as it is published: the chosen ones, and all that the privacy parameters call for;
 * null for one that is not published. Rows of times and rows of places count the same taps, and so are tables of their
 * own: the counts of each table add up. Cost: O(rows).
 */
export function splitTables(
  { cells, time, location, hours, remainder, margins, leftOut = null }: ReleaseTables,
  choices: readonly Table[],
): Record<PublishedTable, CountTable | null> {
  const ifChosen = (name: Table, table: CountTable | null) => (choices.includes(name) ? table : null);
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
