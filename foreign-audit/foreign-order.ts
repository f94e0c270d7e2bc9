import type { AuditCheck } from '../contracts/audit-report.ts';
import { report } from '../core/verdict/finding.ts';
import { rowKey } from '../counts/derive/count-row.ts';
import type { ColumnRole } from './foreign-columns.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import type { ForeignRow, ForeignTable } from './foreign-table.ts';

const FIELDS: Readonly<Record<Exclude<ColumnRole, 'count' | '-'>, (row: ForeignRow) => string>> = {
  mode: ({ mode }) => mode,
  date: ({ day }) => day,
  tap: ({ tap }) => tap,
  time: ({ time }) => time,
  datetime: ({ day, time }) => `${day} ${time}`,
  loc: ({ location }) => location,
};

/** Rows that come before the row above them, by the columns in the order of the file. */
function countInversions({ columns, rows }: ForeignTable): number {
  const fields = columns.flatMap((column) => (column === 'count' || column === '-' ? [] : [FIELDS[column]]));
  const isBefore = (row: ForeignRow, above: ForeignRow): boolean => {
    const field = fields.find((one) => one(row) !== one(above));
    return field !== undefined && field(row) < field(above);
  };
  return rows.filter((row, index) => index > 0 && isBefore(row, rows[index - 1]!)).length;
}

const countRepeats = ({ rows }: ForeignTable): number => rows.length - new Set(rows.map(rowKey)).size;

/**
 * A key that comes twice is answered twice, each time with noise of its own: a fail. Rows that are not in alphabetical
 * order can show how the data was processed: a point for attention. Statistic: rows of the first kind, else of the
 * second.
 */
export function checkForeignOrder({ tables }: ForeignSubject): AuditCheck {
  const repeats = tables.reduce((sum, table) => sum + countRepeats(table), 0);
  const inversions = tables.reduce((sum, table) => sum + countInversions(table), 0);
  return report('order', 'Read something from the order of the rows, or from keys that come twice.', {
    verdict: repeats > 0 ? 'fail' : inversions > 0 ? 'attention' : 'pass',
    statistic: repeats > 0 ? repeats : inversions,
    bound: 0,
    sentence:
      repeats > 0
        ? `${repeats} rows repeat the key of another row: the same taps are counted twice.`
        : inversions > 0
          ? `${inversions} rows are out of alphabetical order, which can show how the data was processed.`
          : 'All rows are in alphabetical order, and no key comes twice.',
  });
}
