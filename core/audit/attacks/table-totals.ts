import { partitionPath } from '../../../contracts/names.ts';
import { ALL, type CountRow, rowKey } from '../../derive/count-row.ts';
import type { AuditSubject, EarlierVersion } from '../subject.ts';
import { declaredNoise } from './declared-noise.ts';
import type { SiblingTotal } from './differencing.ts';

/**
 * Each row of the time and location tables as a total of published rows: it has no noise of its own, so what is left
 * when they are subtracted has to be 0, or the table is a second view of suppressed cells (the tables of 2017 were).
 */
export const tableTotals = ({ cells, remainder, tables }: AuditSubject): SiblingTotal[] => [
  ...totalsOf(tables.time ?? [], [...cells, ...remainder.filter(({ time }) => time !== ALL)], (row) => ({
    ...row,
    location: ALL,
  })),
  ...totalsOf(tables.location ?? [], [...cells, ...remainder.filter(({ time }) => time === ALL)], (row) => ({
    ...row,
    time: ALL,
  })),
];

function totalsOf(
  table: readonly CountRow[],
  parts: readonly CountRow[],
  lineOf: (row: CountRow) => CountRow,
): SiblingTotal[] {
  const lines = Map.groupBy(parts, (row) => rowKey(lineOf(row)));
  return table.map((row) => ({
    name: nameOf(row),
    count: row.count,
    scale: 0,
    cells: (lines.get(rowKey(row)) ?? []).map(({ count }) => ({ count, scale: 0 })),
    suppressed: 0,
    counted: true,
  }));
}

/** At most so many cells that only an earlier version shows are looked at: one is as good as the other. */
const MOST_SHOWN_BEFORE = 200;

/** Cells that an earlier version shows and this one does not: a view of a suppressed cell, paid for when it was charged. */
export function versionTotals({ cells, certificate, knowledge }: AuditSubject): SiblingTotal[] {
  const now = new Set(cells.map(rowKey));
  const { scale } = declaredNoise(certificate);
  return knowledge.earlier.flatMap((earlier) =>
    earlier.cells
      .filter((row) => !earlier.sameDraw.has(partitionPath(row)) && !now.has(rowKey(row)))
      .slice(0, MOST_SHOWN_BEFORE)
      .map((row) => ({
        name: `version ${earlier.version}, ${nameOf(row)}`,
        count: row.count,
        scale,
        cells: [],
        suppressed: 1,
        counted: isCharged(row, knowledge),
      })),
  );
}

/** A row in words, without its count. */
export const nameOf = ({ mode, day, tap, time, location }: CountRow): string => {
  const line = [time, location].filter((part) => part !== ALL).join(' ');
  return `${mode} ${day} ${tap} ${line}`;
};

/** Does the ledger hold a charge for every draw of the partition? */
const isCharged = (row: CountRow, { earlier, ledger }: AuditSubject['knowledge']): boolean =>
  ledger === null || (ledger.charges.get(partitionPath(row)) ?? 0) >= drawsOf(partitionPath(row), earlier);

/** How often a partition was drawn, this version included, as far as the versions declare. */
export const drawsOf = (partition: string, earlier: readonly EarlierVersion[]): number =>
  1 + earlier.filter(({ sameDraw }) => !sameDraw.has(partition)).length;
