import type { MarginRow, Margins, PrivatizedTable } from '../../contracts/formats/privatized-table.ts';
import { partitionPath } from '../../contracts/names.ts';
import { ALL, type CountRow, compareRows } from './count-row.ts';
import { type LineKind, type Lines, linesOf } from './groups.ts';

/** All rows that a release publishes, each list in the order of compareRows. */
export type DerivedTables = {
  /** The published cells as they were drawn. */
  cells: CountRow[];
  /** Sums over locations; `location` is ALL. */
  time: CountRow[];
  /** Sums over times; `time` is ALL. */
  location: CountRow[];
  /** Fitted remainder rows: (time, ALL) and (ALL, location). Null when no partition has them. */
  remainder: CountRow[] | null;
  /** Noisy margins, with ALL as above. Null when no partition has them. */
  margins: CountRow[] | null;
};

/**
 * The tables of a release as a pure function of its privatized tables, and of nothing else.
 *
 * @contract C9 The time and location tables are sums of published cells and, where a partition has them, of its
 * remainder rows. With remainder rows they list the whole domain; without, a key with no published cell is absent,
 * not 0: nobody can tell a suppressed cell from an empty one.
 * @contract C18 Rows are in lexicographic order, whatever the order of the input.
 */
export function deriveTables(tables: readonly PrivatizedTable[]): DerivedTables {
  const cells = tables.toSorted(comparePartitions).flatMap(cellsOf).sort(compareRows);
  const remainder = tables.flatMap((table) => marginRows(table, table.remainder)).sort(compareRows);
  const margins = tables.flatMap((table) => marginRows(table, table.margins)).sort(compareRows);
  return {
    cells,
    time: sumOverLocations(cells, remainder),
    location: sumOverTimes(cells, remainder),
    remainder: tables.some((table) => table.remainder) ? remainder : null,
    margins: tables.some((table) => table.margins) ? margins : null,
  };
}

const pathOf = ({ part, day }: PrivatizedTable): string => partitionPath({ part, day });

/** Tables in this order have all but sorted rows. */
const comparePartitions = (a: PrivatizedTable, b: PrivatizedTable): number => (pathOf(a) < pathOf(b) ? -1 : 1);

/** The time table: for each time, the cells of all locations and the remainder row of that time. */
export const sumOverLocations = (cells: readonly CountRow[], remainder: readonly CountRow[]): CountRow[] =>
  sums(cells, remainder, 'time');

/** The location table: for each location, the cells of all times and the remainder row of that location. */
export const sumOverTimes = (cells: readonly CountRow[], remainder: readonly CountRow[]): CountRow[] =>
  sums(cells, remainder, 'location');

/** What the lines of a table are sums of: all cells, and the remainder rows of that kind. Cost: O(rows). */
export const linesOfTable = (cells: readonly CountRow[], remainder: readonly CountRow[], kind: LineKind): Lines =>
  linesOf([cells, remainder.filter(({ time }) => (time !== ALL) === (kind === 'time'))], kind);

const sums = (cells: readonly CountRow[], remainder: readonly CountRow[], kind: LineKind): CountRow[] =>
  [...linesOfTable(cells, remainder, kind).values()]
    .flatMap((lines) => [...lines.values()])
    .map(({ rows: _, ...row }) => row)
    .sort(compareRows);

const cellsOf = ({ part: mode, day, cells }: PrivatizedTable): CountRow[] =>
  cells.map(([tap, time, location, count]) => ({ mode, day, tap, time, location, count }));

function marginRows({ part: mode, day }: PrivatizedTable, margins: Margins | null): CountRow[] {
  if (!margins) return [];
  const rows = (list: MarginRow[], labels: (key: string) => { time: string; location: string }) =>
    list.map(([tap, key, count]) => ({ mode, day, tap, ...labels(key), count }));
  return [
    ...rows(margins.time, (time) => ({ time, location: ALL })),
    ...rows(margins.location, (location) => ({ time: ALL, location })),
  ];
}
