import type { AuditCheck } from '../../../contracts/audit.ts';
import { ALL, type CountRow, sameRows } from '../../derive/count-row.ts';
import { bySlice } from '../../derive/groups.ts';
import { sumOverLocations, sumOverTimes } from '../../derive/tables.ts';
import { report } from '../check.ts';
import type { AuditSubject } from '../subject.ts';
import { isFitted } from './fitted-remainder.ts';

/**
 * All tables say the same (C9): the time and location tables are the exact sums of the rows that privatize stored, the
 * remainder rows those that cells and margins give, and every other table is what was stored, unchanged. A table with
 * noise or counts of its own would be a second view of the same taps that nobody was charged for. Statistic: tables that
 * differ.
 */
export function checkSums(subject: AuditSubject): AuditCheck {
  const differing = comparisons(subject)
    .filter(({ same }) => !same)
    .map(({ what }) => what);
  return report('sums', 'Subtract one table from another, to learn what was left out.', {
    verdict: differing.length === 0 ? 'pass' : 'fail',
    statistic: differing.length,
    bound: 0,
    sentence:
      differing.length === 0
        ? 'All tables agree to the last tap, so that their differences tell nothing new.'
        : `These do not agree with the published rows: ${differing.join(', ')}.`,
  });
}

type Comparison = { what: string; same: boolean };

function comparisons({ cells, hours, remainder, drawn, tables, certificate }: AuditSubject): Comparison[] {
  const table = (what: string, rows: CountRow[] | null, expected: CountRow[]): Comparison[] =>
    rows ? [{ what, same: sameRows(rows, expected) }] : [];
  return [
    ...table('time-location table', tables.timeLocation, cells),
    ...table('time table', tables.time, sumOverLocations(cells, remainder)),
    ...table('location table', tables.location, sumOverTimes(cells, remainder, hours)),
    { what: 'hour rows', same: sameRows(tables.hours ?? [], hours) },
    { what: 'remainder rows', same: sameRows(tables.remainder ?? [], remainder) },
    { what: 'totals of the remainder rows', same: remainderTotalsAgree(remainder, hours) },
    ...(tables.margins
      ? [
          {
            what: 'fit of the remainder rows to the margins',
            same: isFitted({ cells, hours, remainder, margins: tables.margins, certificate }),
          },
        ]
      : []),
    ...(drawn ? table('cells of the privatized tables', drawn.cells, cells) : []),
    ...(drawn ? table('hour rows of the privatized tables', drawn.hours, hours) : []),
    ...(drawn ? table('remainder rows of the privatized tables', drawn.remainder, remainder) : []),
    ...(drawn ? table('margins', tables.margins ?? [], drawn.margins) : []),
    ...(drawn ? table('left-out taps', tables.leftOut ?? [], drawn.leftOut ?? []) : []),
  ];
}

/**
 * For each mode, day and tap the remainder rows over times count what those over locations and the hour rows do, where
 * there are both kinds.
 */
function remainderTotalsAgree(remainder: readonly CountRow[], hours: readonly CountRow[]): boolean {
  const hoursOf = bySlice(hours);
  return [...bySlice(remainder)].every(([slice, rows]) => {
    const isOneSide = new Set(rows.map(({ time }) => time === ALL)).size === 1;
    const inHours = (hoursOf.get(slice) ?? []).reduce((sum, { count }) => sum + count, 0);
    return isOneSide || rows.reduce((sum, { time, count }) => sum + (time === ALL ? -count : count), 0) === inHours;
  });
}
