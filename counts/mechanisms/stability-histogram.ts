import type { PlacedCounts } from '../tables/columns.ts';
import type { Noise } from './noise.ts';
import { isPublished } from './publish-decision.ts';

/**
 * Stability histogram (Bun, Nissim and Stemmer 2016; Vadhan 2016) with integer noise: a cell with a count gets noise
 * and is published iff the sum reaches the threshold; an empty cell is never published (C8). The cells are in the order
 * of the counts. Throws TypeError when the threshold is not an integer of at least 2: at 1 a lone tap would be published
 * more often than not.
 *
 * @contract C8
 */
export function stabilityHistogram(
  { places, counts }: PlacedCounts,
  threshold: number | null,
  noise: Noise,
): PlacedCounts {
  if (threshold === null || !Number.isSafeInteger(threshold) || threshold < 2)
    throw new TypeError('a stability histogram has a threshold of at least 2');
  const drawn = new Int32Array(places.length);
  noise.cells(places, drawn);
  const shown: PlacedCounts = { places: new Uint32Array(places.length), counts: new Float64Array(places.length) };
  let published = 0;
  for (let at = 0; at < places.length; at++) {
    const noisyCount = counts[at]! + drawn[at]!;
    if (!isPublished(noisyCount, threshold)) continue;
    shown.places[published] = places[at]!;
    shown.counts[published++] = noisyCount;
  }
  return { places: shown.places.slice(0, published), counts: shown.counts.slice(0, published) };
}
