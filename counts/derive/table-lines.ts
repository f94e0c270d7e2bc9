import { computeOnce, oncePer } from '../../core/memory/function-cache.ts';
import { codesIn } from '../tables/list-places.ts';
import { ALL, type CountRow, compareText } from './count-row.ts';
import { bySlice, type CountTable, compareSlices, pick, type Slice, sliceKey } from './count-table.ts';
import { countFinder } from './row-finder.ts';

/** The kinds of lines in a table: all cells of one time, or all of one location. */
export type LineKind = 'time' | 'location';

/** Lines of a table, in order: what the rows of each count together, with ALL in the other column, and how many. */
export type Lines = { table: CountTable; rows: Uint32Array };

/** The lines of all rows of some tables. Cost: O(rows) at first, and O(n log n) for n lines. */
export const linesOf = (parts: readonly CountTable[], kind: LineKind): Lines =>
  sumLines(
    parts.map((part) => ownLines(part)(kind)),
    kind,
  );

/** The lines of one table, kept beside it: several tables and checks ask for those of the same cells. */
const ownLines = oncePer((table: CountTable) =>
  computeOnce((kind: LineKind) => sumLines([{ table, rows: null }], kind)),
);

/** Lines of tables whose rows are lines already, each of `rows` rows; null: each is a row. */
function sumLines(parts: readonly (Pick<Lines, 'table'> & { rows: Uint32Array | null })[], kind: LineKind): Lines {
  const labels = unionOf(parts.map(({ table }) => listOf(table, kind)));
  const groups = parts.map(({ table, rows }) => ({
    ofSlice: bySlice(table),
    rowsOfSlice: rows && bySlice({ ...table, count: Float64Array.from(rows) }),
    codes: codesIn(listOf(table, kind), labels),
  }));
  const slices = slicesOf(parts.map(({ table }) => table));
  const sums = new Float64Array(labels.length);
  const rows = new Uint32Array(labels.length);
  const columns = { slice: [] as number[], label: [] as number[], count: [] as number[], rows: [] as number[] };
  for (const [code, slice] of slices.entries()) {
    const hits: number[] = [];
    for (const { ofSlice, rowsOfSlice, codes } of groups) {
      const part = ofSlice.get(sliceKey(slice));
      if (!part) continue;
      const own = kind === 'time' ? part.time : part.location;
      const rowsOf = rowsOfSlice?.get(sliceKey(slice))?.count;
      for (let at = 0; at < own.length; at++) {
        const label = codes[own[at]!]!;
        if (rows[label]! === 0) hits.push(label);
        sums[label]! += part.count[at]!;
        rows[label]! += rowsOf ? rowsOf[at]! : 1;
      }
    }
    for (const label of hits.sort((a, b) => a - b)) {
      columns.slice.push(code);
      columns.label.push(label);
      columns.count.push(sums[label]!);
      columns.rows.push(rows[label]!);
      sums[label] = 0;
      rows[label] = 0;
    }
  }
  const base = { slices, slice: Uint32Array.from(columns.slice), count: Float64Array.from(columns.count) };
  const [label, all] = [Uint32Array.from(columns.label), new Uint32Array(columns.label.length)];
  const table =
    kind === 'time'
      ? { ...base, times: labels, time: label, locations: [ALL], location: all }
      : { ...base, times: [ALL], time: all, locations: labels, location: label };
  return { table, rows: Uint32Array.from(columns.rows) };
}

/** The rows of times, or of places, of a table that has both. */
export function sideOf(table: CountTable, kind: LineKind): CountTable {
  const all = table.times.indexOf(ALL);
  const places = new Uint32Array(table.time.length);
  let length = 0;
  for (let at = 0; at < places.length; at++) if ((table.time[at] !== all) === (kind === 'time')) places[length++] = at;
  return pick(table, places.subarray(0, length));
}

const listOf = (table: CountTable, kind: LineKind): readonly string[] =>
  kind === 'time' ? table.times : table.locations;

/** Every text of some lists once, in order. */
export const unionOf = (lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].sort(compareText);

const slicesOf = (parts: readonly CountTable[]): Slice[] =>
  [
    ...new Map(
      parts.flatMap(({ slices }) => slices).map((slice): [string, Slice] => [sliceKey(slice), slice]),
    ).values(),
  ].sort(compareSlices);

/** Finds the line of the mode, day, tap and label of a row; undefined when there is none. */
export function lineFinder({ table, rows }: Lines): (row: CountRow) => { count: number; rows: number } | undefined {
  const [countOf, rowsIn] = [countFinder(table), countFinder({ ...table, count: Float64Array.from(rows) })];
  return (row) => {
    const count = countOf(row);
    return count === undefined ? undefined : { count, rows: rowsIn(row)! };
  };
}
