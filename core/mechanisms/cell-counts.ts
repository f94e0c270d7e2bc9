import type { Tap } from '../../contracts/names.ts';
import { type PublicDomain, placesOf } from './public-domain.ts';

/** The exact number of taps in one cell of a partition: at least 1. Custodian side only. */
export type CellCount = [tap: Tap, time: string, location: string, count: number];

/** Exact counts of one partition in lexicographic order, each with its place in every list of the ordered domain. */
export type PlacedCount = {
  readonly tap: number;
  readonly time: number;
  readonly location: number;
  readonly count: number;
};

/** Largest total of one partition: sums of counts and noise stay exact far below 2^53. */
const LARGEST_TOTAL = 2 ** 48;

/**
 * Checks the counts of a partition and puts them in lexicographic order of (tap, time, location). The domain is an
 * ordered one. Throws TypeError, without saying where, when a count is not a positive integer, a key is outside the
 * domain or comes twice, or the total exceeds 2^48: each is a mistake of the program that counted.
 */
export function placeCounts(counts: readonly CellCount[], domain: PublicDomain): PlacedCount[] {
  const taps = placesOf(domain.taps);
  const times = placesOf(domain.times);
  const locations = placesOf(domain.locations);
  const seen = new Set<number>();
  let total = 0;
  const placed = counts.map(([tapName, timeLabel, locationName, count]) => {
    const [tap, time, location] = [taps.get(tapName), times.get(timeLabel), locations.get(locationName)];
    if (tap === undefined || time === undefined || location === undefined)
      throw new TypeError('a count lies outside the public domain');
    if (!Number.isSafeInteger(count) || count < 1) throw new TypeError('a count is not a positive integer');
    total += count;
    if (total > LARGEST_TOTAL) throw new TypeError('the counts of a partition are too large');
    const cell = { tap, time, location, count };
    seen.add(cellPlace(cell, domain));
    return cell;
  });
  if (seen.size !== counts.length) throw new TypeError('a cell is counted twice');
  return placed.sort((a, b) => cellPlace(a, domain) - cellPlace(b, domain));
}

/** Place of a cell in the lexicographic order of the whole domain. */
export const cellPlace = (cell: Omit<PlacedCount, 'count'>, domain: PublicDomain): number =>
  (cell.tap * domain.times.length + cell.time) * domain.locations.length + cell.location;
