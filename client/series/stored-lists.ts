import { kindOf, type SeriesKind } from '../../contracts/kind.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import { readDictionary } from '../../services/stores/series-objects.ts';

/** The public lists that a stored series names, each once. Throws COPY_DIFFERS. */
export function readStoredLists(store: ObjectStore, kinds: Readonly<Record<string, SeriesKind>>, series: Series) {
  const digests = new Set(Object.values(kindOf(kinds, series).terms(series).lists));
  return Promise.all([...digests].map(async (digest) => ({ digest, bytes: await readDictionary(store, digest) })));
}
