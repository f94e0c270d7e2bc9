import { partitionPath } from '../../contracts/names.ts';
import type { Tap } from '../tables/tap-tables.ts';

/** Means "all of them" in a table without that column, and for "all the unpublished ones" in a remainder. */
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

/** Order by UTF-16 code units (C18); 0 for equal texts. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** `mode/day` of the partition that a row, or a slice, belongs to. */
export const partitionOfRow = ({ mode, day }: Pick<CountRow, 'mode' | 'day'>): string =>
  partitionPath({ part: mode, day });

/** A key that two rows share exactly when they are of one mode, day, tap, time and location. */
export const rowKey = ({ mode, day, tap, time, location }: Record<Exclude<keyof CountRow, 'count'>, string>): string =>
  JSON.stringify([mode, day, tap, time, location]);
