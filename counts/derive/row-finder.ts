import { smallestBetween } from '../../core/search/smallest-integer.ts';
import { placesOf } from '../tables/list-places.ts';
import type { CountRow } from './count-row.ts';
import { type CountTable, sliceKey } from './count-table.ts';

/** The key of a row: what it counts. */
export type RowKey = Omit<CountRow, 'count'>;

/**
 * Finds the count of a key in a table; undefined for one that the table has not, and the last of those that come twice.
 * Throws RangeError when the lists of the table name more than 2^53 keys. Cost: O(rows) for a table in order, else
 * O(rows · log rows), with 12 bytes a row; then O(log rows) for each key.
 */
export function countFinder(table: CountTable): (key: RowKey) => number | undefined {
  const { slices, times, locations } = table;
  if (slices.length * times.length * locations.length > Number.MAX_SAFE_INTEGER)
    throw new RangeError('a table names too many keys to look rows up');
  const codeOf = (slice: number, time: number, location: number): number =>
    (slice * times.length + time) * locations.length + location;
  const codes = new Float64Array(table.count.length);
  for (let at = 0; at < codes.length; at++) codes[at] = codeOf(table.slice[at]!, table.time[at]!, table.location[at]!);
  const order = orderOf(codes);
  const [slicePlaces, timePlaces, locationPlaces] = [slices.map(sliceKey), times, locations].map(placesOf);

  return (key) => {
    const [time, location] = [timePlaces!.get(key.time), locationPlaces!.get(key.location)];
    const slice = slicePlaces!.get(sliceKey(key));
    if (slice === undefined || time === undefined || location === undefined) return undefined;
    const code = codeOf(slice, time, location);
    const after = smallestBetween(-1, codes.length, (at) => codes[order[at]!]! > code);
    const at = order[after - 1] ?? -1;
    return codes[at] === code ? table.count[at] : undefined;
  };
}

/** The rows in the order of their codes; those of one code as they come. */
function orderOf(codes: Float64Array): Uint32Array {
  const order = Uint32Array.from(codes.keys());
  for (let at = 1; at < codes.length; at++)
    if (codes[at - 1]! > codes[at]!) return order.sort((a, b) => codes[a]! - codes[b]! || a - b);
  return order;
}
