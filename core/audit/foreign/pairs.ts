import { equalTruthPairs, type PointToPoint } from '../attacks/equal-truth-pairs.ts';
import type { EqualPair } from '../statistics/pair-laws.ts';
import { type ForeignTable, keyOf, tapRows } from './table.ts';

/**
 * Pairs of counts in time-location tables whose truth is equal: the two ends of a point-to-point service, and the same
 * cell in two files. Files with a certificate are not compared with each other: a correction changes the truth.
 */
export function equalPairs(tables: readonly ForeignTable[], services: readonly PointToPoint[]): EqualPair[] {
  const fine = tables.filter(({ kind }) => kind === 'time-location');
  const ends = fine.flatMap(({ rows }) => equalTruthPairs(tapRows(rows), services));
  const uncertified = fine.filter(({ declared }) => declared.certificate === null);
  const twice = uncertified.flatMap((first, index) =>
    uncertified.slice(index + 1).flatMap((second) => sameCells(first, second)),
  );
  return [...ends, ...twice];
}

/** Cells that both files publish; none when all are equal: then one file is a copy of the other. */
function sameCells(first: ForeignTable, second: ForeignTable): EqualPair[] {
  const counts = new Map(first.rows.map((row) => [keyOf(row), row.count]));
  const pairs = second.rows.flatMap((row): EqualPair[] => {
    const before = counts.get(keyOf(row));
    return before === undefined ? [] : [[before, row.count]];
  });
  return pairs.every(([one, other]) => one === other) ? [] : pairs;
}
