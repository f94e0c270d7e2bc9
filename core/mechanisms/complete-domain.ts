import type { Certificate } from '../../contracts/certificate.ts';
import type { HourRow, PrivatizedCell } from '../../contracts/formats/privatized-table.ts';
import type { Tap } from '../../contracts/names.ts';
import { hourOf } from '../calendar/time-bins.ts';
import { cellPlace, type PlacedCount } from './cell-counts.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';
import { isPublished } from './publish-decision.ts';

/** What a complete domain publishes of its noisy counts. Without hour rows `hours` is null. */
export type PublishedCounts = { cells: PrivatizedCell[]; hours: HourRow[] | null };

/** F and F2; null and absent where the series has none. */
export type Floors = Pick<Certificate, 'threshold' | 'hours'>;

/**
 * Every cell of the public domain with noise, the empty ones too: δ = 0 (C8). Without a floor every noisy count is
 * published, and negative ones are left so, since cutting them would make sums too large. Under a floor F those from F on
 * are; with hour rows, the sum of the others of each hour and place is published when it reaches F2, and nothing else is
 * kept of them. Counts are in lexicographic order, and so are the rows. Throws TypeError when F is not an integer of at
 * least 2, or F2 is below F: then an hour row could be one cell.
 *
 * Cost: O(domain) noise, and memory for the locations of one hour besides what is published.
 *
 * @contract C8
 */
export function completeDomain(
  counts: readonly PlacedCount[],
  domain: PublicDomain,
  floors: Floors,
  noise: Noise,
): PublishedCounts {
  const { threshold, hours } = checkedFloors(floors);
  const cells: PrivatizedCell[] = [];
  const sums = hours && hourSums(domain.locations, hours.floor);
  const countAt = countsInOrder(counts, domain);
  for (const tap of domain.taps) {
    for (const time of domain.times) {
      sums?.enter(tap, hourOf(time));
      for (const [place, location] of domain.locations.entries()) {
        const noisyCount = countAt() + noise.cell(tap, time, location);
        if (threshold === null || isPublished(noisyCount, threshold)) cells.push([tap, time, location, noisyCount]);
        else sums?.add(place, noisyCount);
      }
    }
  }
  return { cells, hours: sums ? sums.published() : null };
}

function checkedFloors({ threshold: ofCells, hours }: Floors): Floors {
  const isFloor = (floor: number): boolean => Number.isSafeInteger(floor) && floor >= 2;
  if (ofCells !== null && !isFloor(ofCells)) throw new TypeError('a floor is an integer of at least 2');
  if (hours && (ofCells === null || !isFloor(hours.floor) || hours.floor < ofCells))
    throw new TypeError('the floor of hour rows is an integer of at least that of cells');
  return { threshold: ofCells, ...(hours && { hours }) };
}

/** The count of one cell of the domain after the other, 0 for those without. */
function countsInOrder(counts: readonly PlacedCount[], domain: PublicDomain): () => number {
  const places = Float64Array.from(counts, (cell) => cellPlace(cell, domain));
  let [place, next] = [0, 0];
  return () => (places[next] === place++ ? counts[next++]!.count : 0);
}

/** Sums of the noisy counts that no cell shows, by location, for one hour of one tap after the other. */
function hourSums(locations: readonly string[], floor: number) {
  const sums = new Float64Array(locations.length);
  const rows: HourRow[] = [];
  let open: { tap: Tap; hour: string } | null = null;

  /** Publishes what the hour that ends has, and forgets the rest. */
  function close(): void {
    if (open)
      for (const [place, sum] of sums.entries())
        if (isPublished(sum, floor)) rows.push([open.tap, open.hour, locations[place]!, sum]);
    sums.fill(0);
  }

  return {
    enter(tap: Tap, hour: string): void {
      if (open?.tap === tap && open.hour === hour) return;
      close();
      open = { tap, hour };
    },
    add(place: number, noisyCount: number): void {
      sums[place]! += noisyCount;
    },
    published(): HourRow[] {
      close();
      open = null;
      return rows;
    },
  };
}
