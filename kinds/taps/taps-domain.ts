import { type Partition, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { computeOnce, oncePer } from '../../core/memory/function-cache.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { listEnds, type Tap } from '../../counts/tables/tap-tables.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { remember } from '../../services/stores/object-cache.ts';
import { parseDictionary } from './location-dictionary.ts';
import type { TapsSeries } from './series.ts';

/** Which taps a series publishes, in order. */
export const tapsOf = (series: TapsSeries): Tap[] => listEnds(series.privacy.publish).sort();

/** The published locations of a dictionary, in order and each once; the dictionary is read once and kept. */
const publishedLocations = remember<readonly string[]>(async (store, key) =>
  [...new Set(parseDictionary(await readBytes(store, key)).values())].sort(),
);

/** Time labels by day, for as long as the series is kept: changes of the clock are looked up once a day of data. */
const labelsOf = oncePer((series: TapsSeries) => computeOnce((day: string) => timeLabels(series, day)));

/**
 * The public domain of one partition (C4): taps, time labels of the day, and the locations of the mode's dictionary
 * with its member for the unknown. It comes from the series and its dictionary, never from the source.
 *
 * @contract C4
 */
export async function readPublicDomain(
  store: ObjectStore,
  series: TapsSeries,
  partition: Partition,
): Promise<PublicDomain> {
  const { dictionary, unknown } = series.bins.locations[partition.part]!;
  const locations = await publishedLocations(store, RELEASE_KEYS.dictionary(dictionary));
  return {
    taps: tapsOf(series),
    times: labelsOf(series)(partition.day),
    locations: [...new Set([...locations, unknown])].sort(),
  };
}
