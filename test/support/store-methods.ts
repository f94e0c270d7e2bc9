import type { ObjectStore } from '../../contracts/object-store.ts';

/** The methods of a store as a plain object, of which a test replaces some. */
export const storeMethods = (store: ObjectStore): ObjectStore => ({
  location: store.location,
  get: (key, range) => store.get(key, range),
  putIfAbsent: (key, body) => store.putIfAbsent(key, body),
  readPage: (key) => store.readPage(key),
  swapPage: (key, current, bytes) => store.swapPage(key, current, bytes),
  list: (prefix) => store.list(prefix),
  head: (key) => store.head(key),
});
