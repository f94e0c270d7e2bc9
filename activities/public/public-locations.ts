import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import { parseDictionary } from '../private/dictionary.ts';
import { readDictionary } from '../stores/series-objects.ts';

/** The public location domain of each mode (C4): what its dictionary maps to, and the member for everything else. */
export async function publicLocations(
  store: ObjectStore,
  { bins }: Pick<Series, 'bins'>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const locations = new Map<string, ReadonlySet<string>>();
  for (const [mode, { dictionary, unknown }] of Object.entries(bins.locations)) {
    const published = parseDictionary(await readDictionary(store, dictionary)).values();
    locations.set(mode, new Set([...published, unknown]));
  }
  return locations;
}
