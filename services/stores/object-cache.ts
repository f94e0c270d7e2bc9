import type { ObjectStore } from '../../contracts/object-store.ts';
import { makeCache, oncePer } from '../../core/memory/function-cache.ts';

/** Values that are kept for each store: a worker meets few series at a time, and one out of memory is read again. */
const KEPT = 64;

/**
 * A reader that keeps what it has read, for write-once objects whose key holds the digest of their bytes: such an object
 * never changes, so that what was read once is right for ever. What is kept must not be changed by whoever gets it. A
 * read that fails is not kept.
 */
export function remember<T>(
  read: (store: ObjectStore, key: string) => Promise<T>,
): (store: ObjectStore, key: string) => Promise<T> {
  const keptOf = oncePer((_: ObjectStore) => makeCache<Promise<T>>(KEPT));
  return (store, key) => keptOf(store)(key, () => read(store, key));
}
