import { partitionPath } from '../../../contracts/names.ts';
import { clockMinutes } from '../../calendar/time-bins.ts';
import { type CountRow, rowKey } from '../../derive/count-row.ts';
import type { AuditSubject, PublicDomains, SiblingPublication } from '../subject.ts';
import { declaredNoise } from './declared-noise.ts';
import type { SiblingTotal } from './differencing.ts';
import { nameOf } from './table-totals.ts';

/** At most so many cells of a sibling are looked at: one is as good as the other. */
const MOST_SHOWN_BESIDE = 200;

/**
 * Each cell that a sibling publishes, as a total over the cells of this release that it covers: the same one, or several
 * where its time bins are longer. A charge of the sibling in the ledger pays for it. Cells that cover no suppressed one
 * are further views of a count, which is what the check of views is for.
 */
export function siblingTotals({
  cells,
  certificate,
  domains,
  knowledge,
}: Pick<AuditSubject, 'cells' | 'certificate' | 'domains' | 'knowledge'>): SiblingTotal[] {
  const published = new Map(cells.map((row) => [rowKey(row), row.count]));
  const { scale } = declaredNoise(certificate);
  return knowledge.siblings.flatMap((sibling) => {
    const ownScale = declaredNoise(sibling.certificate).scale;
    return sibling.cells
      .map((row) => ({ row, covered: coveredCells(row, sibling, domains).map(rowKey) }))
      .filter(({ covered }) => covered.some((key) => !published.has(key)))
      .slice(0, MOST_SHOWN_BESIDE)
      .map(({ row, covered }): SiblingTotal => {
        const counts = covered.flatMap((key) => published.get(key) ?? []);
        return {
          name: `${sibling.release}, ${nameOf(row)}`,
          count: row.count,
          scale: ownScale,
          cells: counts.map((count) => ({ count, scale })),
          suppressed: covered.length - counts.length,
          counted: sibling.charged.has(partitionPath(row)),
        };
      });
  });
}

/** The cells of this release, published or not, whose taps a cell of a sibling counts; none where nobody can tell. */
function coveredCells(row: CountRow, { minutes, covering }: SiblingPublication, domains: PublicDomains): CountRow[] {
  const domain = domains.get(partitionPath(row));
  if (!domain?.taps.has(row.tap) || !covering.has(row.mode)) return [];
  const start = clockMinutes(row.time);
  return [...domain.times]
    .filter((time) => clockMinutes(time) >= start && clockMinutes(time) < start + minutes)
    .map((time) => ({ ...row, time }));
}
