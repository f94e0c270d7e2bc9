import type { PrivatizedCell } from '../../contracts/formats/privatized-table.ts';
import type { PlacedCount } from './cell-counts.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';
import { isPublished } from './publish-decision.ts';

/**
 * Stability histogram (Bun, Nissim and Stemmer 2016; Vadhan 2016) with integer noise: a cell with a count gets noise
 * and is published iff the sum reaches the threshold; an empty cell is never published (C8). The counts are in
 * lexicographic order, and so are the cells. Throws TypeError when the threshold is not an integer of at least 2: at
 * 1 a lone tap would be published more often than not.
 *
 * @contract C8
 */
export function stabilityHistogram(
  counts: readonly PlacedCount[],
  domain: PublicDomain,
  threshold: number | null,
  noise: Noise,
): PrivatizedCell[] {
  if (threshold === null || !Number.isSafeInteger(threshold) || threshold < 2)
    throw new TypeError('a stability histogram has a threshold of at least 2');
  return counts.flatMap((place): PrivatizedCell[] => {
    const tap = domain.taps[place.tap]!;
    const time = domain.times[place.time]!;
    const location = domain.locations[place.location]!;
    const noisyCount = place.count + noise.cell(tap, time, location);
    return isPublished(noisyCount, threshold) ? [[tap, time, location, noisyCount]] : [];
  });
}
