import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { storeMethods } from '../support/store-methods.ts';

/** A broken store: it never finds what is below a prefix, and writes over it. Everything else is the real store. */
export const forgetful = (store: ObjectStore, folder: string, prefix: string): ObjectStore => ({
  ...storeMethods(store),
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
  ...storeMethods(store),
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
