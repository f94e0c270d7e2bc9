import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** Stores a file of scratch if the key is free; whoever came first with the key stands. */
export async function putFile(store: ObjectStore, key: string, path: string): Promise<void> {
  const { size } = await stat(path);
  await store.putIfAbsent(key, { stream: createReadStream(path), size });
}
