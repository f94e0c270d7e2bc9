import { ALL, type CountRow, partitionOfRow } from './count-row.ts';

/** The mode, day and tap of a row. */
export const slicePath = (row: CountRow): string => `${partitionOfRow(row)}/${row.tap}`;

/** partitionOfRow or slicePath; rows of one partition that follow each other get the same string, made once. */
function remembered(pathOf: typeof partitionOfRow | typeof slicePath): (row: CountRow) => string {
  const isSame = (a: CountRow, b: CountRow): boolean =>
    a.day === b.day && a.mode === b.mode && (pathOf === partitionOfRow || a.tap === b.tap);
  let [last, path]: [CountRow | null, string] = [null, ''];
  return (row) => {
    if (last === null || !isSame(last, row)) path = pathOf(row);
    last = row;
    return path;
  };
}

function grouped(rows: readonly CountRow[], pathOf: (row: CountRow) => string): Map<string, CountRow[]> {
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    const path = pathOf(row);
    const group = groups.get(path);
    if (group) group.push(row);
    else groups.set(path, [row]);
  }
  return groups;
}

/** The rows of each partition, by `mode/day`, in the order of the list. Cost: O(rows). */
export const byPartition = (rows: readonly CountRow[]): Map<string, CountRow[]> =>
  grouped(rows, remembered(partitionOfRow));

/** The rows of each mode, day and tap, by slicePath, in the order of the list. Cost: O(rows). */
export const bySlice = (rows: readonly CountRow[]): Map<string, CountRow[]> => grouped(rows, remembered(slicePath));

/** The kinds of lines in a table: all cells of one time, or all of one location. */
export type LineKind = 'time' | 'location';

/** One line of a table: what its rows count together, with ALL in the other column, and how many they are. */
export type Line = CountRow & { rows: number };

/** Lines by slicePath, then by time or location. */
export type Lines = ReadonlyMap<string, ReadonlyMap<string, Line>>;

/** The lines of all rows of some lists. Cost: O(rows). */
export function linesOf(lists: readonly (readonly CountRow[])[], kind: LineKind): Lines {
  const lines = new Map<string, Map<string, Line>>();
  const pathOf = remembered(slicePath);
  for (const rows of lists)
    for (const row of rows) {
      const path = pathOf(row);
      const ofSlice = lines.get(path) ?? new Map<string, Line>();
      const line = ofSlice.get(row[kind]);
      if (line) {
        line.count += row.count;
        line.rows += 1;
        continue;
      }
      ofSlice.set(row[kind], { ...row, [kind === 'time' ? 'location' : 'time']: ALL, rows: 1 });
      lines.set(path, ofSlice);
    }
  return lines;
}

/** The line of the same mode, day, tap and label as a row, if there is one. */
export const lineOf = (lines: Lines, row: CountRow, kind: LineKind): Line | undefined =>
  lines.get(slicePath(row))?.get(row[kind]);
