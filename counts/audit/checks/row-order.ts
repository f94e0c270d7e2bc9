import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { type CountTable, compareAt } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * Every table is in lexicographic order and names no key twice (C18): the order of rows reveals nothing about the input.
 * Statistic: rows that do not come strictly after the row before them. Cost: O(rows).
 */
export function checkOrder({ cells, hours, remainder, tables }: AuditSubject): AuditCheck {
  const lists = [cells, hours, remainder, ...Object.values(tables).flatMap((rows) => (rows ? [rows] : []))];
  const breaches = lists.reduce((sum, rows) => sum + countBreaches(rows), 0);
  return reportNone('order', 'Read something from the order of the rows, or from keys that come twice.', breaches, {
    right: 'All rows are in alphabetical order, and no key comes twice.',
    wrong: `${breaches} rows are out of order or repeat a key, which can show how the data was processed.`,
  });
}

function countBreaches(table: CountTable): number {
  let breaches = 0;
  for (let at = 1; at < table.count.length; at++) if (compareAt(table, at - 1, at) >= 0) breaches += 1;
  return breaches;
}
