import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** A broken store: it never finds what is below a prefix, and writes over it. Everything else is the real store. */
export const forgetful = (store: ObjectStore, folder: string, prefix: string): ObjectStore => ({
  ...real(store),
  get: async (key, range) => {
    if (key.startsWith(prefix)) throw new OpalineError('OBJECT_MISSING', 'A broken store has forgotten an object.');
    return store.get(key, range);
  },
  putIfAbsent: async (key, body) => {
    if (key.startsWith(prefix)) await rm(join(folder, key), { force: true });
    return store.putIfAbsent(key, body);
  },
});

/** A broken store: it looks whether a key is free and writes a moment later, over whatever came in between. */
export const checkThenWrite = (store: ObjectStore, folder: string): ObjectStore => ({
  ...real(store),
  putIfAbsent: async (key, body) => {
    if ((await store.head(key)) !== null || !(body instanceof Uint8Array)) return store.putIfAbsent(key, body);
    await delay(20);
    const temporary = join(folder, `.temporary-${process.pid}`);
    await writeFile(temporary, body);
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await rename(temporary, join(folder, key));
    return 'created';
  },
});

const real = (store: ObjectStore): ObjectStore => ({
  location: store.location,
  get: (key, range) => store.get(key, range),
  putIfAbsent: (key, body) => store.putIfAbsent(key, body),
  readMutable: (key) => store.readMutable(key),
  compareAndSwap: (key, current, value) => store.compareAndSwap(key, current, value),
  readPage: (key) => store.readPage(key),
  swapPage: (key, current, bytes) => store.swapPage(key, current, bytes),
  list: (prefix) => store.list(prefix),
  head: (key) => store.head(key),
});
