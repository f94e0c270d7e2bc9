import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** Puts every file below a folder that ends in one of the endings into a store, under its path in the folder. */
export async function uploadFolder(folder: string, store: ObjectStore, ending: string): Promise<string[]> {
  const keys: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue;
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path);
    await store.putIfAbsent(key, { stream: createReadStream(path), size: (await stat(path)).size });
    keys.push(key);
  }
  return keys.sort();
}

/** Writes all objects below a prefix into a folder, under the rest of their keys. */
export async function downloadPrefix(store: ObjectStore, prefix: string, folder: string): Promise<void> {
  for await (const { key } of store.list(prefix)) {
    const path = join(folder, key.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await pipeline((await store.get(key)).stream, createWriteStream(path));
  }
}
