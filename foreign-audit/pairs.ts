import type { DeclaredNoise, EqualPair } from '../core/statistics/pair-laws.ts';
import { equalTruthPairs } from '../counts/audit/checks/equal-truth-pairs.ts';
import type { PointToPoint } from '../counts/audit/subject.ts';
import { rowKey } from '../counts/derive/count-row.ts';
import { tableOf } from '../counts/derive/count-table.ts';
import type { NoisyTable } from './foreign-noise.ts';
import { type ForeignTable, tapRows } from './foreign-table.ts';

/**
 * Pairs of counts in time-location tables whose truth is equal: the two ends of a point-to-point service, and the same
 * cell in two files. Files with a certificate are not compared with each other: a correction changes the truth.
 * Cost: O(rows + pairs).
 */
export function equalPairs(tables: readonly ForeignTable[], services: readonly PointToPoint[]): EqualPair[] {
  const fine = tables.filter(({ kind }) => kind === 'time-location');
  const ends =
    services.length === 0 ? [] : fine.flatMap(({ rows }) => equalTruthPairs(tableOf(tapRows(rows)), services));
  return [...ends, ...sameCells(fine.filter(({ declared }) => declared.certificate === null))];
}

/** Cells that two files publish; none of two files in which all are equal: then one is a copy of the other. */
function sameCells(tables: readonly ForeignTable[]): EqualPair[] {
  if (tables.length < 2) return [];
  /** Of each cell, the tables so far that publish it, with its count. */
  const cells = new Map<string, Map<number, number>>();
  const pairs = tables.map(() => tables.map((): EqualPair[] => []));
  for (const [second, { rows }] of tables.entries()) {
    for (const row of rows)
      for (const [first, count] of cells.get(rowKey(row)) ?? [])
        if (first !== second) pairs[first]![second]!.push([count, row.count]);
    for (const row of rows) {
      const counts = cells.get(rowKey(row)) ?? new Map<number, number>();
      cells.set(rowKey(row), counts.set(second, row.count));
    }
  }
  return pairs
    .flat()
    .filter((list) => list.some(([one, other]) => one !== other))
    .flat();
}

/** A noise that is declared, and pairs of equal truth from all tables that have it. */
export type DeclaredPairs = { readonly noise: DeclaredNoise; readonly pairs: readonly EqualPair[] };

/** The declared noise of time-location tables, and their pairs; null when nobody declares any. */
export function findPairs(tables: readonly NoisyTable[], services: readonly PointToPoint[]): DeclaredPairs | null {
  const fine = tables.filter(
    ({ kind, declared: said }) => kind === 'time-location' && (said.scale !== null || said.certificate !== null),
  );
  const [first] = fine;
  if (!first) return null;
  const { noise } = first;
  const same = fine.filter(
    ({ noise: { model, scale, threshold } }) =>
      model === noise.model && scale === noise.scale && threshold === noise.threshold,
  );
  return { noise, pairs: equalPairs(same, services) };
}
