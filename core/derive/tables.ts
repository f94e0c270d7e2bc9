import type {
  HourRow,
  MarginRow,
  Margins,
  PrivatizedCell,
  PrivatizedTable,
} from '../../contracts/formats/privatized-table.ts';
import { partitionPath } from '../../contracts/names.ts';
import { ALL, type CountRow, compareRows } from './count-row.ts';
import { type LineKind, type Lines, linesOf } from './groups.ts';

/** All rows that a release publishes, each list in the order of compareRows. */
export type DerivedTables = {
  /** The published cells as they were drawn. */
  cells: CountRow[];
  /** Hour rows: `time` is the hour HH. Null when no partition has them. */
  hours: CountRow[] | null;
  /** Sums over locations; `location` is ALL. */
  time: CountRow[];
  /** Sums over times; `time` is ALL. */
  location: CountRow[];
  /** Fitted remainder rows: (time, ALL) and (ALL, location). Null when no partition has them. */
  remainder: CountRow[] | null;
  /** Noisy margins, with ALL as above. Null when no partition has them. */
  margins: CountRow[] | null;
  /** Noisy numbers of left-out taps, with ALL in both columns. Null when no partition counts them. */
  leftOut: CountRow[] | null;
};

/**
 * The tables of a release as a pure function of its privatized tables, and of nothing else.
 *
 * @contract C9 The time and location tables are sums of published cells and, where a partition has them, of its
 * remainder rows; the location table counts the hour rows too, which time remainders cover. With remainder rows they
 * list the whole domain; without, a key with no published cell is absent,
 * not 0: nobody can tell a suppressed cell from an empty one.
 * @contract C18 Rows are in lexicographic order, whatever the order of the input.
 */
export function deriveTables(tables: readonly PrivatizedTable[]): DerivedTables {
  const cells = tables.toSorted(comparePartitions).flatMap(cellsOf).sort(compareRows);
  const hours = tables.flatMap((table) => countRows(table, table.hours ?? [])).sort(compareRows);
  const remainder = tables.flatMap((table) => marginRows(table, table.remainder)).sort(compareRows);
  const margins = tables.flatMap((table) => marginRows(table, table.margins)).sort(compareRows);
  const leftOut = tables.flatMap(leftOutRows).sort(compareRows);
  return {
    cells,
    hours: tables.some((table) => table.hours) ? hours : null,
    time: sumOverLocations(cells, remainder),
    location: sumOverTimes(cells, remainder, hours),
    remainder: tables.some((table) => table.remainder) ? remainder : null,
    margins: tables.some((table) => table.margins) ? margins : null,
    leftOut: tables.some((table) => table.leftOut) ? leftOut : null,
  };
}

const pathOf = ({ part, day }: PrivatizedTable): string => partitionPath({ part, day });

/** Tables in this order have all but sorted rows. */
const comparePartitions = (a: PrivatizedTable, b: PrivatizedTable): number => (pathOf(a) < pathOf(b) ? -1 : 1);

/** The time table: for each time, the cells of all locations and the remainder row of that time. */
export const sumOverLocations = (cells: readonly CountRow[], remainder: readonly CountRow[]): CountRow[] =>
  sums(rowsOfTable('time', { cells, hours: [] }), remainder, 'time');

/** The location table: for each location, the cells and hour rows of all times, and its remainder row. */
export const sumOverTimes = (
  cells: readonly CountRow[],
  remainder: readonly CountRow[],
  hours: readonly CountRow[] = [],
): CountRow[] => sums(rowsOfTable('location', { cells, hours }), remainder, 'location');

/** The rows of which the time table is made, or the location table. */
export const rowsOfTable = (
  kind: LineKind,
  { cells, hours }: { cells: readonly CountRow[]; hours: readonly CountRow[] },
): (readonly CountRow[])[] => (kind === 'time' ? [cells] : [cells, hours]);

/** What the lines of a table are sums of: its rows, and the remainder rows of that kind. Cost: O(rows). */
export const linesOfTable = (
  rows: readonly (readonly CountRow[])[],
  remainder: readonly CountRow[],
  kind: LineKind,
): Lines => linesOf([...rows, remainder.filter(({ time }) => (time !== ALL) === (kind === 'time'))], kind);

const sums = (rows: readonly (readonly CountRow[])[], remainder: readonly CountRow[], kind: LineKind): CountRow[] =>
  [...linesOfTable(rows, remainder, kind).values()]
    .flatMap((lines) => [...lines.values()])
    .map(({ rows: _, ...row }) => row)
    .sort(compareRows);

const cellsOf = (table: PrivatizedTable): CountRow[] => countRows(table, table.cells);

const countRows = ({ part: mode, day }: PrivatizedTable, rows: readonly (PrivatizedCell | HourRow)[]): CountRow[] =>
  rows.map(([tap, time, location, count]) => ({ mode, day, tap, time, location, count }));

function marginRows({ part: mode, day }: PrivatizedTable, margins: Margins | null): CountRow[] {
  if (!margins) return [];
  const rows = (list: MarginRow[], labels: (key: string) => { time: string; location: string }) =>
    list.map(([tap, key, count]) => ({ mode, day, tap, ...labels(key), count }));
  return [
    ...rows(margins.time, (time) => ({ time, location: ALL })),
    ...rows(margins.location, (location) => ({ time: ALL, location })),
  ];
}

const leftOutRows = ({ part: mode, day, leftOut }: PrivatizedTable): CountRow[] =>
  (leftOut ?? []).map(([tap, count]) => ({ mode, day, tap, time: ALL, location: ALL, count }));
