import { ALL, type CountRow, partitionOfRow } from '../../derive/count-row.ts';
import { type CountTable, partitionOfSlice, rowAt, rowsOf } from '../../derive/count-table.ts';
import { lineFinder } from '../../derive/lines.ts';
import { countFinder } from '../../derive/row-finder.ts';
import { linesOfTable } from '../../derive/tables.ts';
import type { AuditSubject, EarlierVersion } from '../subject.ts';
import { declaredNoise } from './declared-noise.ts';
import type { SiblingTotal } from './differencing.ts';

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

/** At most so many cells that only an earlier version shows are looked at: one is as good as the other. */
const MOST_SHOWN_BEFORE = 200;

/**
 * Cells that an earlier version shows and this one does not: a view of a suppressed cell, paid for when it was charged.
 * Cost: O(rows) for each earlier version.
 */
export function versionTotals({ cells, certificate, knowledge }: AuditSubject): SiblingTotal[] {
  const { scale } = declaredNoise(certificate);
  return knowledge.earlier.flatMap((earlier) => {
    return shownBefore(earlier, cells).map((row) => ({
      name: `version ${earlier.version}, ${nameOf(row)}`,
      count: row.count,
      scale,
      published: { sum: 0, cells: 0, scale: 0 },
      suppressed: 1,
      counted: isCharged(row, knowledge),
    }));
  });
}

/** The first cells that an earlier version shows by another draw and this one does not. */
function shownBefore({ cells: before, sameDraw }: EarlierVersion, cells: CountTable): CountRow[] {
  const found: CountRow[] = [];
  const drawnAnew = before.slices.map((slice) => !sameDraw.has(partitionOfSlice(slice)));
  if (!drawnAnew.includes(true)) return found;
  const shown = countFinder(cells);
  for (let at = 0; at < before.count.length && found.length < MOST_SHOWN_BEFORE; at++) {
    if (!drawnAnew[before.slice[at]!]) continue;
    const row = rowAt(before, at);
    if (shown(row) === undefined) found.push(row);
  }
  return found;
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
