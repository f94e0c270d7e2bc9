import { clockMinutes } from '../../../core/calendar/time-bins.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import type { IntegerNoise } from '../../../core/statistics/noise-law.ts';
import { ALL, type CountRow, partitionOfRow } from '../../derive/count-row.ts';
import { bySlice, type CountTable, rowAt, rowsOf, sliceKey } from '../../derive/count-table.ts';
import { countFinder } from '../../derive/row-finder.ts';
import { type LineKind, lineFinder, linesOf, sideOf } from '../../derive/table-lines.ts';
import { linesOfTable } from '../../derive/tables.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject, EarlierVersion, PublicDomains, SiblingPublication } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';

/**
 * A published total next to published cells that it covers: a row of a time or location table, a noisy margin, an older
 * version of the window, another series on the same source.
 */
export type SiblingTotal = {
  /** What it is a total of, in a few words that readers understand. */
  name: string;
  count: number;
  /** Scale of its own noise; 0 when it is the sum of the published cells. */
  scale: number;
  /** The law of that noise, where it need not be that of the published cells. */
  model?: IntegerNoise;
  /** The published cells that it covers: their sum, how many they are, and the scale of their noise; 0 for none. */
  published: { sum: number; cells: number; scale: number };
  /** How many cells that it covers are not published, by the public domain. */
  suppressed: number;
  /** Is this noisy view paid for in the certificate? */
  counted: boolean;
};

/**
 * Each row of the time and location tables as a total of published rows: it has no noise of its own, so what is left
 * when they are subtracted has to be 0, or the table is a second view of suppressed cells (the tables of 2017 were).
 * Cost: O(rows).
 */
export const tableTotals = ({ cells, hours, remainder, tables }: AuditSubject): SiblingTotal[] =>
  (['time', 'location'] as const).flatMap((kind) => {
    const table = tables[kind];
    if (!table || table.count.length === 0) return [];
    const lineOf = lineFinder(linesOfTable({ cells, hours, remainder }, kind));
    return [...rowsOf(table)].map((row): SiblingTotal => {
      const line = lineOf(row);
      return {
        name: nameOf(row),
        count: row.count,
        scale: 0,
        published: { sum: line?.count ?? 0, cells: line?.rows ?? 0, scale: 0 },
        suppressed: 0,
        counted: true,
      };
    });
  });

/** At most this many cells of another version or series are looked at: one is as good as another. */
const MOST_SHOWN = 200;

/**
 * Cells that an earlier version shows and this one does not: a view of a suppressed cell, paid for when it was charged.
 * Cost: O(rows) for each earlier version.
 */
export function versionTotals({ cells, certificate, knowledge }: AuditSubject): SiblingTotal[] {
  const { scale } = noiseOfCells(certificate);
  return knowledge.earlier.flatMap((earlier) =>
    findOldCells(earlier, cells).map((row) => ({
      name: `version ${earlier.version}, ${nameOf(row)}`,
      count: row.count,
      scale,
      published: { sum: 0, cells: 0, scale: 0 },
      suppressed: 1,
      counted: isCharged(row, knowledge),
    })),
  );
}

/** The first cells that an earlier version shows by another draw and this one does not. */
function findOldCells({ cells: before, sameDraw }: EarlierVersion, cells: CountTable): CountRow[] {
  const rows: CountRow[] = [];
  const drawnAnew = before.slices.map((slice) => !sameDraw.has(partitionOfRow(slice)));
  if (!drawnAnew.includes(true)) return rows;
  const countOf = countFinder(cells);
  for (let at = 0; at < before.count.length && rows.length < MOST_SHOWN; at++) {
    if (!drawnAnew[before.slice[at]!]) continue;
    const row = rowAt(before, at);
    if (countOf(row) === undefined) rows.push(row);
  }
  return rows;
}

/** A row in words, without its count. */
export const nameOf = ({ mode, day, tap, time, location }: CountRow): string => {
  const line = [time, location].filter((part) => part !== ALL).join(' ');
  return `${mode} ${day} ${tap} ${line}`;
};

/** Does the ledger hold a charge for every draw of the partition? */
const isCharged = (row: CountRow, { earlier, ledger }: AuditSubject['knowledge']): boolean =>
  ledger === null || (ledger.charges.get(partitionOfRow(row)) ?? 0) >= drawsOf(partitionOfRow(row), earlier);

/** How often a partition was drawn, this version included, as far as the versions declare. */
export const drawsOf = (partition: string, earlier: readonly EarlierVersion[]): number =>
  1 + earlier.filter(({ sameDraw }) => !sameDraw.has(partition)).length;

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
  const scaleOf = (amount?: string) => amount && noiseOfCount(certificate.mechanism, amount).scale;
  const scales = { time: scaleOf(certificate.marginScales.time), location: scaleOf(certificate.marginScales.location) };
  const { scale: scaleOfCells } = noiseOfCells(certificate);
  return [...rowsOf(margins)].flatMap((margin): SiblingTotal[] => {
    const kind = kindOf(margin);
    const scale = scales[kind];
    const cellsOfLine = across[kind].get(sliceKey(margin));
    if (!scale || cellsOfLine === undefined) return [];
    const line = lineOf[kind](margin);
    const cover = { sum: line?.count ?? 0, cells: line?.rows ?? 0, scale: scaleOfCells };
    return [
      {
        name: nameOf(margin),
        count: margin.count,
        scale,
        published: cover,
        suppressed: cellsOfLine - cover.cells,
        counted: true,
      },
    ];
  });
}

/** How many margins of a kind each mode, day and tap has, by sliceKey. */
const membersOf = (margins: CountTable, kind: LineKind): Map<string, number> =>
  new Map([...bySlice(sideOf(margins, kind))].map(([slice, { count }]) => [slice, count.length]));

type SiblingSubject = Pick<AuditSubject, 'cells' | 'certificate' | 'domains' | 'knowledge'>;

/**
 * Each cell that a sibling publishes, as a total over the cells of this release that it covers: the same one, or several
 * where its time bins are longer. A charge of the sibling in the ledger pays for it. Cells that cover no suppressed one
 * are further views of a count, which is what the check of views is for. Cost: O(rows) for each sibling, and for each of
 * its cells the time bins that it covers.
 */
export function siblingTotals({ cells, certificate, domains, knowledge }: SiblingSubject): SiblingTotal[] {
  if (knowledge.siblings.length === 0) return [];
  const countOf = countFinder(cells);
  const { scale } = noiseOfCells(certificate);
  return knowledge.siblings.flatMap((sibling) => {
    const own = noiseOfCells(sibling.certificate);
    const coveredTimes = timesCovered(sibling, domains);
    const totals: SiblingTotal[] = [];
    for (const row of rowsOf(sibling.cells)) {
      if (totals.length === MOST_SHOWN) break;
      const times = coveredTimes(row);
      const counts = times.flatMap((time) => countOf({ ...row, time }) ?? []);
      if (counts.length === times.length) continue;
      totals.push({
        name: `${sibling.release}, ${nameOf(row)}`,
        count: row.count,
        scale: own.scale,
        model: own.model,
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
  const timesFrom = computeOnce((partition: string, first: string): readonly string[] => {
    const start = clockMinutes(first);
    const times = [...domains.get(partition)!.times];
    return times.filter((time) => clockMinutes(time) >= start && clockMinutes(time) < start + minutes);
  });
  return (row) => {
    const partition = partitionOfRow(row);
    return domains.get(partition)?.taps.has(row.tap) && covering.has(row.mode) ? timesFrom(partition, row.time) : [];
  };
}
