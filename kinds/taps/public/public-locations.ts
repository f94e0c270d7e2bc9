import type { ObjectStore } from '../../../contracts/object-store.ts';
import { readPublicDomain } from '../public-domain.ts';
import type { TapsSeries } from '../series.ts';

/** The public location domain of each mode (C4), the same on every day of the window. */
export async function publicLocations(
  store: ObjectStore,
  series: TapsSeries,
  window: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const locations = new Map<string, ReadonlySet<string>>();
  for (const mode of series.modes)
    locations.set(mode, new Set((await readPublicDomain(store, series, { part: mode, day: window })).locations));
  return locations;
}
