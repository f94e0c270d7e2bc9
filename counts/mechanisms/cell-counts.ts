import type { PlacedCounts } from '../tables/columns.ts';
import { codesIn, placesOf } from '../tables/list-places.ts';
import type { Tap } from '../tables/tap-tables.ts';
import type { PublicDomain } from './public-domain.ts';

/** The exact number of taps in one cell of a partition: at least 1. Custodian side only. */
export type CellCount = [tap: Tap, time: string, location: string, count: number];

/** Largest total of one partition: sums of counts and noise stay exact far below 2^53. */
const LARGEST_TOTAL = 2 ** 48;

/** Cells of a domain at most: a place in it is a 32-bit number. */
const MOST_PLACES = 2 ** 32;

/** How many cells a domain has. Throws RangeError when they are more than 2^32. */
export function domainSize({ taps, times, locations }: PublicDomain): number {
  const size = taps.length * times.length * locations.length;
  if (size > MOST_PLACES) throw new RangeError('a public domain has at most 2^32 cells');
  return size;
}

/** The same of many cells, in the order of the rows, with the lists of the names that they have. */
export function columnsOf(rows: readonly CellCount[]): PublicDomain & PlacedCounts {
  const taps = [...new Set(rows.map(([tap]) => tap))];
  const [times, locations] = ([1, 2] as const).map((column) => [...new Set(rows.map((row) => row[column]))]);
  const [tapPlaces, timePlaces, locationPlaces] = [placesOf(taps), placesOf(times!), placesOf(locations!)];
  return {
    taps,
    times: times!,
    locations: locations!,
    places: Uint32Array.from(
      rows,
      ([tap, time, location]) =>
        (tapPlaces.get(tap)! * times!.length + timePlaces.get(time)!) * locations!.length +
        locationPlaces.get(location)!,
    ),
    counts: Float64Array.from(rows, (row) => row[3]),
  };
}

/**
 * Checks the counts of a partition, which are in any order, with lists of their own that may name what no count has,
 * and puts them at their places in an ordered domain. Throws TypeError, without saying
 * where, when a count is not a positive integer, a key is outside the domain or comes twice, or the total exceeds 2^48:
 * each is a mistake of the program that counted. Cost: O(n log n) for n counts out of order, O(n) for others.
 */
export function placeCounts(cells: PublicDomain & PlacedCounts, domain: PublicDomain): PlacedCounts {
  domainSize(domain);
  const { places: given, counts } = cells;
  const taps = codesIn(cells.taps, domain.taps);
  const times = codesIn(cells.times, domain.times);
  const locations = codesIn(cells.locations, domain.locations);
  const targets = new Uint32Array(counts.length);
  let total = 0;
  for (let at = 0; at < counts.length; at++) {
    const [place, count] = [given[at]!, counts[at]!];
    const row = Math.floor(place / locations.length);
    const [tap, time] = [taps[Math.floor(row / times.length)]!, times[row % times.length]!];
    const location = locations[place % locations.length]!;
    // Beyond the lists there is no number at all.
    if (!(tap >= 0 && time >= 0 && location >= 0)) throw new TypeError('a count is outside the public domain');
    if (!Number.isSafeInteger(count) || count < 1) throw new TypeError('a count is not a positive integer');
    total += count;
    if (total > LARGEST_TOTAL) throw new TypeError('the counts of a partition are too large');
    targets[at] = (tap * domain.times.length + time) * domain.locations.length + location;
  }
  const order = orderOf(targets);
  if (!order) return { places: targets, counts };
  const places = order.map((at) => targets[at]!);
  if (!isAscending(places)) throw new TypeError('a cell is counted twice');
  return { places, counts: Float64Array.from(order, (at) => counts[at]!) };
}

/** The indices of numbers in ascending order; null when they ascend as they are. */
function orderOf(numbers: Uint32Array): Uint32Array | null {
  if (isAscending(numbers)) return null;
  return Uint32Array.from(numbers.keys()).sort((a, b) => numbers[a]! - numbers[b]!);
}

/** Is each number greater than the one before it? */
function isAscending(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at++) if (!(numbers[at - 1]! < numbers[at]!)) return false;
  return true;
}
