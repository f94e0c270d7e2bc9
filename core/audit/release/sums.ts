import type { AuditCheck } from '../../../contracts/audit.ts';
import { ALL } from '../../derive/count-row.ts';
import { bySlice, type CountTable, NO_ROWS, sameTables, totalOf } from '../../derive/count-table.ts';
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

function comparisons({ cells, hours, remainder, drawn, tables, certificate, differing }: AuditSubject): Comparison[] {
  const table = (what: string, rows: CountTable | null, expected: CountTable): Comparison[] =>
    rows ? [{ what, same: sameTables(rows, expected) }] : [];
  return [
    ...differing.map((what) => ({ what: `CSV and Parquet of ${what}`, same: false })),
    ...table('time-location table', tables.timeLocation, cells),
    ...table('time table', tables.time, sumOverLocations(cells, remainder)),
    ...table('location table', tables.location, sumOverTimes(cells, remainder, hours)),
    { what: 'hour rows', same: sameTables(tables.hours ?? NO_ROWS, hours) },
    { what: 'remainder rows', same: sameTables(tables.remainder ?? NO_ROWS, remainder) },
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
    ...(drawn ? table('margins', tables.margins ?? NO_ROWS, drawn.margins) : []),
    ...(drawn ? table('left-out taps', tables.leftOut ?? NO_ROWS, drawn.leftOut ?? NO_ROWS) : []),
  ];
}

/**
 * For each mode, day and tap the remainder rows over times count what those over locations and the hour rows do, where
 * there are both kinds.
 */
function remainderTotalsAgree(remainder: CountTable, hours: CountTable): boolean {
  const hoursOf = bySlice(hours);
  const all = remainder.times.indexOf(ALL);
  return [...bySlice(remainder)].every(([slice, { time, count }]) => {
    const isOneSide = time.every((code) => (code === all) === (time[0] === all));
    const inHours = totalOf(hoursOf.get(slice) ?? NO_ROWS);
    return isOneSide || count.reduce((sum, each, at) => sum + (time[at] === all ? -each : each), 0) === inHours;
  });
}
