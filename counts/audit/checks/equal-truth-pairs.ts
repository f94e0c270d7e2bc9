import { clockLabel, clockMinutes } from '../../../core/calendar/time-bins.ts';
import type { EqualPair } from '../../../core/statistics/pair-laws.ts';
import { ALL, type CountRow, partitionOfRow, rowKey } from '../../derive/count-row.ts';
import { type CountTable, rowAt } from '../../derive/count-table.ts';
import { countFinder } from '../../derive/row-finder.ts';
import type { PointToPoint } from '../subject.ts';

/**
 * Pairs of published cells (on, off) whose truth is equal by these services. Pairs with a suppressed end are left out.
 * Cost: O(rows), and O(1) for each cell at the start of a service.
 */
export function equalTruthPairs(cells: CountTable, services: readonly PointToPoint[]): EqualPair[] {
  if (services.length === 0) return [];
  const ends = new Set(services.flatMap(({ mode, from, to }) => [`${mode} ${from}`, `${mode} ${to}`]));
  const near = rowsAt(cells, ends);
  const counts = new Map(near.map((row) => [rowKey(row), row.count]));
  const starts = Map.groupBy(
    near.filter(({ tap, time }) => tap === 'on' && time !== ALL),
    ({ mode, location }) => `${mode} ${location}`,
  );
  return services.flatMap(({ mode, from, to, minutes }) =>
    (starts.get(`${mode} ${from}`) ?? []).flatMap((row): EqualPair[] => {
      const off = counts.get(
        rowKey({ ...row, tap: 'off', location: to, time: clockLabel(clockMinutes(row.time) + minutes) }),
      );
      return off === undefined ? [] : [[row.count, off]];
    }),
  );
}

/**
 * Pairs of the cells that two versions of one window both publish: the truth is the same, the noise should not be.
 * Partitions that the second version declares as carried over from the first are left out. Cost: O(rows).
 */
export function versionPairs(first: CountTable, second: CountTable, carriedOver: ReadonlySet<string>): EqualPair[] {
  const drawnAnew = second.slices.map((slice) => !carriedOver.has(partitionOfRow(slice)));
  if (!drawnAnew.includes(true)) return [];
  const countIn = countFinder(first);
  const pairs: EqualPair[] = [];
  for (let at = 0; at < second.count.length; at++) {
    if (!drawnAnew[second.slice[at]!]) continue;
    const before = countIn(rowAt(second, at));
    if (before !== undefined) pairs.push([before, second.count[at]!]);
  }
  return pairs;
}

/** The rows of some places, each with its mode: `mode place`. */
function rowsAt(cells: CountTable, places: ReadonlySet<string>): CountRow[] {
  const isNear = cells.locations.map((location) => [...places].some((place) => place.endsWith(` ${location}`)));
  const rows: CountRow[] = [];
  for (let at = 0; at < cells.count.length; at++) {
    if (!isNear[cells.location[at]!]) continue;
    const row = rowAt(cells, at);
    if (places.has(`${row.mode} ${row.location}`)) rows.push(row);
  }
  return rows;
}
