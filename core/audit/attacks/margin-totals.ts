import { ALL, type CountRow } from '../../derive/count-row.ts';
import { parseRational, toNumber } from '../../rational/rational.ts';
import type { AuditSubject } from '../subject.ts';
import type { SiblingTotal } from './differencing.ts';

type Marginal = Pick<AuditSubject, 'cells' | 'tables' | 'certificate'>;

/** Which margin row a cell counts in: by its time, or by its location. */
const lineOf = ({ mode, day, tap, time, location }: CountRow, kind: 'time' | 'location'): string =>
  JSON.stringify([mode, day, tap, kind, kind === 'time' ? time : location]);

const blockOf = ({ mode, day, tap }: CountRow, kind: 'time' | 'location'): string =>
  JSON.stringify([mode, day, tap, kind]);

const kindOf = ({ time }: CountRow): 'time' | 'location' => (time === ALL ? 'location' : 'time');

function grouped(rows: readonly CountRow[], key: (row: CountRow) => string): Map<string, CountRow[]> {
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/**
 * Each noisy margin as a total over the cells of its line. The margins list their whole domain, so the other kind of
 * margin says how many cells a line has; without it nobody knows how many are suppressed, and the line is left out.
 */
export function marginTotals({ cells, tables, certificate }: Marginal): SiblingTotal[] {
  const margins = tables.margins ?? [];
  const domains = grouped(margins, (row) => blockOf(row, kindOf(row)));
  const lines = {
    time: grouped(cells, (row) => lineOf(row, 'time')),
    location: grouped(cells, (row) => lineOf(row, 'location')),
  };
  const cellScale = toNumber(parseRational(certificate.scale));
  return margins.flatMap((margin): SiblingTotal[] => {
    const kind = kindOf(margin);
    const scale = certificate.marginScales[kind];
    const across = domains.get(blockOf(margin, kind === 'time' ? 'location' : 'time'));
    if (scale === undefined || across === undefined) return [];
    const published = lines[kind].get(lineOf(margin, kind)) ?? [];
    const { mode, day, tap, time, location, count } = margin;
    return [
      {
        name: `${mode} ${day} ${tap} ${kind === 'time' ? time : location}`,
        count,
        scale: toNumber(parseRational(scale)),
        cells: published.map((cell) => ({ count: cell.count, scale: cellScale })),
        suppressed: across.length - published.length,
        counted: true,
      },
    ];
  });
}
