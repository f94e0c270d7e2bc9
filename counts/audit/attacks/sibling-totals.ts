import { clockMinutes } from '../../../core/calendar/time-bins.ts';
import { type CountRow, partitionOfRow } from '../../derive/count-row.ts';
import { rowsOf } from '../../derive/count-table.ts';
import { countFinder } from '../../derive/row-finder.ts';
import type { AuditSubject, PublicDomains, SiblingPublication } from '../subject.ts';
import { declaredNoise } from './declared-noise.ts';
import type { SiblingTotal } from './differencing.ts';
import { nameOf } from './table-totals.ts';

/** At most so many cells of a sibling are looked at: one is as good as the other. */
const MOST_SHOWN_BESIDE = 200;

/**
 * Each cell that a sibling publishes, as a total over the cells of this release that it covers: the same one, or several
 * where its time bins are longer. A charge of the sibling in the ledger pays for it. Cells that cover no suppressed one
 * are further views of a count, which is what the check of views is for. Cost: O(rows) for each sibling, and for each of
 * its cells the time bins that it covers.
 */
export function siblingTotals({
  cells,
  certificate,
  domains,
  knowledge,
}: Pick<AuditSubject, 'cells' | 'certificate' | 'domains' | 'knowledge'>): SiblingTotal[] {
  if (knowledge.siblings.length === 0) return [];
  const published = countFinder(cells);
  const { scale } = declaredNoise(certificate);
  return knowledge.siblings.flatMap((sibling) => {
    const ownScale = declaredNoise(sibling.certificate).scale;
    const coveredTimes = timesCovered(sibling, domains);
    const totals: SiblingTotal[] = [];
    for (const row of rowsOf(sibling.cells)) {
      if (totals.length === MOST_SHOWN_BESIDE) break;
      const times = coveredTimes(row);
      const counts = times.flatMap((time) => published({ ...row, time }) ?? []);
      if (counts.length === times.length) continue;
      totals.push({
        name: `${sibling.release}, ${nameOf(row)}`,
        count: row.count,
        scale: ownScale,
        published: { sum: counts.reduce((sum, count) => sum + count, 0), cells: counts.length, scale },
        suppressed: times.length - counts.length,
        counted: sibling.charged.has(partitionOfRow(row)),
      });
    }
    return totals;
  });
}

/** The time bins of this release whose taps a cell of a sibling counts; none where nobody can tell. */
function timesCovered(
  { minutes, covering }: SiblingPublication,
  domains: PublicDomains,
): (row: CountRow) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (row) => {
    const partition = partitionOfRow(row);
    const domain = domains.get(partition);
    if (!domain?.taps.has(row.tap) || !covering.has(row.mode)) return [];
    const key = `${partition}/${row.time}`;
    const start = clockMinutes(row.time);
    const times =
      known.get(key) ??
      [...domain.times].filter((time) => clockMinutes(time) >= start && clockMinutes(time) < start + minutes);
    known.set(key, times);
    return times;
  };
}
