import { partitionPath, type Tap } from '../../contracts/names.ts';

/** Stands for "all of them" in a table without that column, and for "all the unpublished ones" in a remainder. */
export const ALL = '*';

/** One released count. `day` is YYYY-MM-DD, `time` a label HH:MM or ALL, `location` a name or ALL. */
export type CountRow = {
  mode: string;
  day: string;
  tap: Tap;
  time: string;
  location: string;
  count: number;
};

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** `mode/day` of the partition that a row belongs to. */
export const partitionOfRow = ({ mode, day }: CountRow): string => partitionPath({ part: mode, day });

/** Order of all released rows: mode, day, tap, time, location, by UTF-16 code units (C18). 0 means the same key. */
export function compareRows(a: CountRow, b: CountRow): number {
  return (
    compareText(a.mode, b.mode) ||
    compareText(a.day, b.day) ||
    compareText(a.tap, b.tap) ||
    compareText(a.time, b.time) ||
    compareText(a.location, b.location)
  );
}

/** A key that two rows share exactly when compareRows says 0. */
export const rowKey = ({ mode, day, tap, time, location }: CountRow): string =>
  JSON.stringify([mode, day, tap, time, location]);

/** True when both lists hold the same rows in the same order. */
export function sameRows(a: readonly CountRow[], b: readonly CountRow[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => sameRow(row, b[index]!)));
}

const sameRow = (a: CountRow, b: CountRow): boolean => a.count === b.count && compareRows(a, b) === 0;
