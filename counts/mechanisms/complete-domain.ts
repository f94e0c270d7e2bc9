import type { Certificate } from '../../contracts/certificate.ts';
import { hourOf } from '../../core/calendar/time-bins.ts';
import type { HourCounts, PlacedCounts } from '../tables/columns.ts';
import { placesOf } from '../tables/list-places.ts';
import { domainSize } from './cell-counts.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';
import { isPublished } from './publish-decision.ts';

/** What a complete domain publishes of its noisy counts. Without hour rows `hours` is null. */
export type PublishedCounts = { cells: PlacedCounts; hours: HourCounts | null };

/** F and F2; null and absent where the series has none. */
export type Floors = Pick<Certificate, 'threshold' | 'hours'>;

/** Cells whose noise is drawn at once, where a time has fewer. */
const CELLS_AT_ONCE = 2 ** 16;

/**
 * Every cell of the public domain with noise, the empty ones too: δ = 0 (C8). Without a floor every noisy count is
 * published, and negative ones are left so, since cutting them would make sums too large. Under a floor F those from F on
 * are; with hour rows, the sum of the others of each hour and place is published when it reaches F2, and nothing else is
 * kept of them. The domain is ordered, and so are the counts and what is published. Throws TypeError when F is not an
 * integer of at least 2, or F2 is below F: then an hour row could be one cell.
 *
 * Cost: O(domain) noise, and 12 bytes for each cell of the domain.
 *
 * @contract C8
 */
export function completeDomain(
  exact: PlacedCounts,
  domain: PublicDomain,
  floors: Floors,
  noise: Noise,
): PublishedCounts {
  const { threshold, hours } = requireFloors(floors);
  const cells = collector(domainSize(domain));
  const sums = hours && hourSums(domain, hours.floor);
  const { times, locations } = domain;
  const linesAtOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, locations.length)));
  const lines = domain.taps.length * times.length;
  let next = 0;
  for (let line = 0; line < lines; line += linesAtOnce) {
    const first = line * locations.length;
    const places = new Uint32Array(Math.min(linesAtOnce, lines - line) * locations.length);
    for (let at = 0; at < places.length; at++) places[at] = first + at;
    const draws = new Int32Array(places.length);
    noise.cells(places, draws);
    for (let at = 0; at < places.length; at++) {
      const place = first + at;
      const count = exact.places[next] === place ? exact.counts[next++]! : 0;
      const noisyCount = count + draws[at]!;
      if (threshold === null || isPublished(noisyCount, threshold)) cells.add(place, noisyCount);
      else sums?.add(place, noisyCount);
    }
  }
  return { cells: cells.all(), hours: sums ? sums.published() : null };
}

function requireFloors({ threshold: ofCells, hours }: Floors): Floors {
  const isFloor = (floor: number): boolean => Number.isSafeInteger(floor) && floor >= 2;
  if (ofCells !== null && !isFloor(ofCells)) throw new TypeError('a floor is an integer of at least 2');
  if (hours && (ofCells === null || !isFloor(hours.floor) || hours.floor < ofCells))
    throw new TypeError('the floor of hour rows is an integer of at least that of cells');
  return { threshold: ofCells, ...(hours && { hours }) };
}

/** Placed counts that are taken one after the other, `most` at most. */
function collector(most: number) {
  const [places, counts] = [new Uint32Array(most), new Float64Array(most)];
  let length = 0;
  return {
    add(place: number, count: number): void {
      places[length] = place;
      counts[length++] = count;
    },
    all: (): PlacedCounts => ({ places: places.slice(0, length), counts: counts.slice(0, length) }),
  };
}

/** Sums of the noisy counts that no cell shows, by tap, hour and location. */
function hourSums({ taps, times, locations }: PublicDomain, floor: number) {
  const labels = [...new Set(times.map(hourOf))].sort();
  const places = placesOf(labels);
  const hours = times.map((time) => places.get(hourOf(time))!);
  const sums = new Float64Array(taps.length * labels.length * locations.length);
  return {
    add(place: number, noisyCount: number): void {
      const line = Math.floor(place / locations.length);
      const hour = Math.floor(line / times.length) * labels.length + hours[line % times.length]!;
      sums[hour * locations.length + (place % locations.length)]! += noisyCount;
    },
    /** Those that reach the floor; the rest is forgotten. */
    published(): HourCounts {
      const rows = collector(sums.length);
      for (const [place, sum] of sums.entries()) if (isPublished(sum, floor)) rows.add(place, sum);
      return { labels, ...rows.all() };
    },
  };
}
