import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { byPartition, type CountTable, NO_ROWS, sameTables, sortRows } from '../../derive/count-table.ts';
import type { AuditSubject, EarlierVersion } from '../subject.ts';

/**
 * What a correction carries over is what the version before it drew (C13): the same cells, and a privatized table of the
 * same digest. Another one would be a second draw that nobody was charged for. Statistic: partitions that differ.
 * Cost: O(rows) for each earlier version of which something is carried over.
 */
export function checkCarriedOver({ cells, knowledge }: Pick<AuditSubject, 'cells' | 'knowledge'>): AuditCheck {
  const attack = 'Compare what a correction says that it carries over with the version that drew it.';
  const versions = knowledge.earlier.filter(({ sameDraw }) => sameDraw.size > 0);
  const own = byPartition(versions.length > 0 ? cells : NO_ROWS);
  const differences = versions.flatMap((version) => differencesFrom(version, own));
  const names = [...new Set(versions.flatMap(({ sameDraw }) => [...sameDraw]))];
  const isCarried = names.length > 0;
  const check = reportNone('carried-over', attack, differences.length, {
    right: isCarried
      ? `Carried over from an earlier version, and the same there: ${names.join(', ')}.`
      : 'The release carries nothing over from an earlier version.',
    wrong: `Said to be carried over, and drawn again: ${differences.join(', ')}.`,
  });
  return isCarried ? check : { ...check, verdict: 'not-tried' };
}

/** Partitions that are declared to be the draw of that version and are not, with its number. */
function differencesFrom(earlier: EarlierVersion, own: ReadonlyMap<string, CountTable>): string[] {
  const theirs = byPartition(earlier.cells);
  const rows = (of: ReadonlyMap<string, CountTable>, partition: string): CountTable =>
    sortRows(of.get(partition) ?? NO_ROWS);
  return [...earlier.sameDraw]
    .filter(
      (partition) => earlier.otherTables.has(partition) || !sameTables(rows(own, partition), rows(theirs, partition)),
    )
    .map((partition) => `${partition} of version ${earlier.version}`);
}
