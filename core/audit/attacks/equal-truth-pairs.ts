import type { CountRow } from '../../derive/count-row.ts';
import { ALL, partitionOfRow, rowKey } from '../../derive/count-row.ts';
import type { EqualPair } from '../../statistics/pair-laws.ts';

/**
 * Public knowledge: on a point-to-point service whoever taps on at `from` taps off at `to`, `minutes` later, and nobody
 * else does. Minutes are a multiple of the length of a time bin.
 */
export type PointToPoint = { mode: string; from: string; to: string; minutes: number };

/** Label HH:MM plus minutes; labels of a traffic day go past 24:00. */
function later(label: string, minutes: number): string {
  const total = Number(label.slice(0, -3)) * 60 + Number(label.slice(-2)) + minutes;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(total / 60))}:${two(total % 60)}`;
}

/**
 * Pairs of published cells (on, off) whose truth is equal by these services. Pairs with a suppressed end are left out.
 * Cost: O(rows), and O(1) for each cell at the start of a service.
 */
export function equalTruthPairs(cells: readonly CountRow[], services: readonly PointToPoint[]): EqualPair[] {
  if (services.length === 0) return [];
  const ends = new Set(services.flatMap(({ mode, from, to }) => [`${mode} ${from}`, `${mode} ${to}`]));
  const near = cells.filter(({ mode, location }) => ends.has(`${mode} ${location}`));
  const counts = new Map(near.map((row) => [rowKey(row), row.count]));
  const starts = Map.groupBy(
    near.filter(({ tap, time }) => tap === 'on' && time !== ALL),
    ({ mode, location }) => `${mode} ${location}`,
  );
  return services.flatMap(({ mode, from, to, minutes }) =>
    (starts.get(`${mode} ${from}`) ?? []).flatMap((row): EqualPair[] => {
      const off = counts.get(rowKey({ ...row, tap: 'off', location: to, time: later(row.time, minutes) }));
      return off === undefined ? [] : [[row.count, off]];
    }),
  );
}

/**
 * Pairs of the cells that two versions of one window both publish: the truth is the same, the noise should not be.
 * Partitions that the second version declares as carried over from the first are left out. Cost: O(rows).
 */
export function versionPairs(
  first: readonly CountRow[],
  second: readonly CountRow[],
  carriedOver: ReadonlySet<string>,
): EqualPair[] {
  const counts = new Map(first.map((row) => [rowKey(row), row.count]));
  return second
    .filter((row) => !carriedOver.has(partitionOfRow(row)))
    .flatMap((row): EqualPair[] => {
      const before = counts.get(rowKey(row));
      return before === undefined ? [] : [[before, row.count]];
    });
}
