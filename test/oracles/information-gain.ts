import { type CountsOfCounts, entropy, mutualInformation } from '../../custodian/risk/measures/entropy.ts';
import { type Runs, ranksAt, valueAtRank } from '../../custodian/risk/measures/quantiles.ts';
import { cellInformation, type Distribution } from './cell-information.ts';

/** A table in memory, cells as text: the plain way to every measure of risk, for small tables only. */
export type SmallTable = readonly (readonly string[])[];

/** A key that distinguishes rows of texts, whatever the texts hold. */
const key = (cells: readonly unknown[]): string => JSON.stringify(cells);

export function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export function countsOfCounts(values: readonly string[]): CountsOfCounts {
  return new Map(
    [...countsOf([...countsOf(values).values()].map(String))].map(([count, times]) => [Number(count), times]),
  );
}

/** All columns but this one. */
const others = (table: SmallTable, column: number): number[] =>
  (table[0] ?? []).map((_, index) => index).filter((index) => index !== column);

/** CIG of every cell: rows down, columns across. `known` are the columns that the attacker knows; all unless named. */
export function cellGains(
  table: SmallTable,
  known: readonly number[] | null = null,
  prior?: { column: number; distribution: Distribution; accuracy?: number },
): number[][] {
  const gains: number[][] = table.map(() => []);
  for (const column of (table[0] ?? []).keys()) {
    const given = others(table, column).filter((index) => known === null || known.includes(index));
    const groups = new Map<string, string[]>();
    const keyOf = (row: readonly string[]): string => key(given.map((index) => row[index]));
    for (const row of table) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row[column]!]);
    const own = prior?.column === column ? prior : undefined;
    const before = own?.distribution ?? countsOf(table.map((row) => row[column]!));
    for (const [index, row] of table.entries())
      gains[index]!.push(cellInformation(countsOf(groups.get(keyOf(row))!), before, own?.accuracy));
  }
  return gains;
}

export const rowGains = (gains: readonly (readonly number[])[]): number[] =>
  gains.map((row) => row.reduce((sum, bits) => sum + bits, 0));

export const columnOf = <T>(rows: readonly (readonly T[])[], column: number): T[] => rows.map((row) => row[column]!);

export function quantile(values: readonly number[], level: number): number {
  const runs: Runs = [...values].sort((a, b) => a - b).map((value) => [value, 1]);
  const { lower, upper, weight } = ranksAt(level, values.length);
  return (1 - weight) * valueAtRank(runs, lower) + weight * valueAtRank(runs, upper);
}

/** Entropy of some columns of a table together. */
export const entropyOf = (table: SmallTable, columns: readonly number[]): number =>
  entropy(countsOfCounts(table.map((row) => key(columns.map((column) => row[column])))));

/** I of each column of one table with each column of another, row beside row. */
export function sharedInformation(one: SmallTable, other: SmallTable): number[][] {
  const beside = one.map((row, index) => [...row, ...other[index]!]);
  const width = one[0]!.length;
  return one[0]!.map((_, i) =>
    other[0]!.map((__, j) =>
      mutualInformation(entropyOf(one, [i]), entropyOf(other, [j]), entropyOf(beside, [i, width + j])),
    ),
  );
}

/**
 * The two readings of step 5 of Section 4.2 of Oppermann (ed.) 2019, which updates "relevant rows": a cell takes the most
 * of every sequence that it is part of, or of the one that ends with its own step alone.
 */
export type Reading = 'every-sequence' | 'own-step';

/** CIG of the sequences of each step: one row per id that has that many rows, in the order of the ids. */
export function stepGains(rows: readonly { id: string; cells: readonly string[] }[], step: number) {
  const byId = Map.groupBy(rows, ({ id }) => id);
  const ids = [...byId.keys()].filter((id) => byId.get(id)!.length >= step).sort();
  const values = ids.map((id) =>
    rows[0]!.cells.map((_, column) =>
      byId
        .get(id)!
        .slice(0, step)
        .map(({ cells }) => cells[column]!)
        .join('_'),
    ),
  );
  return { ids, values, gains: cellGains(values) };
}

/** Depth information gain of every cell; the rows of an id are in their order in time. */
export function depthGains(
  rows: readonly { id: string; cells: readonly string[] }[],
  reading: Reading,
  baseline: readonly (readonly number[])[],
): number[][] {
  const longest = Math.max(...[...Map.groupBy(rows, ({ id }) => id).values()].map(({ length }) => length));
  const steps = Array.from({ length: longest }, (_, index) => stepGains(rows, index + 1));
  const seen = new Map<string, number>();
  return rows.map(({ id, cells }, row) => {
    const step = (seen.get(id) ?? 0) + 1;
    seen.set(id, step);
    return cells.map((_, column) => {
      const relevant = reading === 'own-step' ? steps.slice(step - 1, step) : steps.slice(step - 1);
      const bits = relevant.flatMap(({ ids, gains }) => (ids.includes(id) ? [gains[ids.indexOf(id)]![column]!] : []));
      return Math.max(baseline[row]![column]!, ...bits);
    });
  });
}
