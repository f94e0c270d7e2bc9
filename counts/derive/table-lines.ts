import { computedOnce, oncePer } from '../../core/memory/kept.ts';
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
  computedOnce((kind: LineKind) => sumLines([{ table, rows: null }], kind)),
);

/** Lines of tables whose rows are lines already, and count so many rows; null: each is a row. */
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
  const found = { slice: [] as number[], label: [] as number[], count: [] as number[], rows: [] as number[] };
  for (const [code, slice] of slices.entries()) {
    const touched: number[] = [];
    for (const { ofSlice, rowsOfSlice, codes } of groups) {
      const part = ofSlice.get(sliceKey(slice));
      if (!part) continue;
      const own = kind === 'time' ? part.time : part.location;
      const rowsOf = rowsOfSlice?.get(sliceKey(slice))?.count;
      for (let at = 0; at < own.length; at++) {
        const label = codes[own[at]!]!;
        if (rows[label]! === 0) touched.push(label);
        sums[label]! += part.count[at]!;
        rows[label]! += rowsOf ? rowsOf[at]! : 1;
      }
    }
    for (const label of touched.sort((a, b) => a - b)) {
      found.slice.push(code);
      found.label.push(label);
      found.count.push(sums[label]!);
      found.rows.push(rows[label]!);
      sums[label] = 0;
      rows[label] = 0;
    }
  }
  const summed = { slices, slice: Uint32Array.from(found.slice), count: Float64Array.from(found.count) };
  const [label, all] = [Uint32Array.from(found.label), new Uint32Array(found.label.length)];
  const table =
    kind === 'time'
      ? { ...summed, times: labels, time: label, locations: [ALL], location: all }
      : { ...summed, times: [ALL], time: all, locations: labels, location: label };
  return { table, rows: Uint32Array.from(found.rows) };
}

/** The rows of times, or of places, of a table that has both. */
export function sideOf(table: CountTable, kind: LineKind): CountTable {
  const all = table.times.indexOf(ALL);
  const places = new Uint32Array(table.time.length);
  let found = 0;
  for (let at = 0; at < places.length; at++) if ((table.time[at] !== all) === (kind === 'time')) places[found++] = at;
  return pick(table, places.subarray(0, found));
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
