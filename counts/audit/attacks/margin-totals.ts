import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { type CountTable, rowsOf, sliceKey } from '../../derive/count-table.ts';
import { type LineKind, lineFinder, linesOf } from '../../derive/lines.ts';
import type { AuditSubject } from '../subject.ts';
import type { SiblingTotal } from './differencing.ts';
import { nameOf } from './table-totals.ts';

type Marginal = Pick<AuditSubject, 'cells' | 'tables' | 'certificate'>;

const kindOf = ({ time }: CountRow): LineKind => (time === ALL ? 'location' : 'time');

/**
 * Each noisy margin as a total over the cells of its line. The margins list their whole domain, so the other kind of
 * margin says how many cells a line has; without it nobody knows how many are suppressed, and the line is left out.
 * Cost: O(rows).
 */
export function marginTotals({ cells, tables, certificate }: Marginal): SiblingTotal[] {
  const { margins } = tables;
  if (!margins || margins.count.length === 0) return [];
  const across = { time: membersOf(margins, 'location'), location: membersOf(margins, 'time') };
  const lineOf = { time: lineFinder(linesOf([cells], 'time')), location: lineFinder(linesOf([cells], 'location')) };
  const scaleOf = (scale?: string) => (scale === undefined ? scale : toNumber(parseRational(scale)));
  const scales = { time: scaleOf(certificate.marginScales.time), location: scaleOf(certificate.marginScales.location) };
  const scaleOfCells = toNumber(parseRational(certificate.scale));
  return [...rowsOf(margins)].flatMap((margin): SiblingTotal[] => {
    const kind = kindOf(margin);
    const scale = scales[kind];
    const cellsOfLine = across[kind].get(sliceKey(margin));
    if (scale === undefined || cellsOfLine === undefined) return [];
    const line = lineOf[kind](margin);
    const published = { sum: line?.count ?? 0, cells: line?.rows ?? 0, scale: scaleOfCells };
    return [
      {
        name: nameOf(margin),
        count: margin.count,
        scale,
        published,
        suppressed: cellsOfLine - published.cells,
        counted: true,
      },
    ];
  });
}

/** How many margins of a kind each mode, day and tap has, by sliceKey. */
function membersOf(margins: CountTable, kind: LineKind): Map<string, number> {
  const members = new Map<string, number>();
  for (const margin of rowsOf(margins)) {
    if (kindOf(margin) !== kind) continue;
    const slice = sliceKey(margin);
    members.set(slice, (members.get(slice) ?? 0) + 1);
  }
  return members;
}
