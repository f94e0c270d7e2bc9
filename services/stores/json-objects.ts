import { createHash } from 'node:crypto';
import { nullOn } from '../../contracts/errors.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { bytesOf } from './body-stream.ts';

/** SHA-256 in lower-case hex. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The same of a file that nobody changes, computed once. */
export const fileDigest = oncePer((bytes: Buffer) => sha256(bytes));

/** SHA-256 of the bytes of an object, which may be too many for the memory. Throws OBJECT_MISSING. */
export async function sha256OfObject(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await store.get(key)).stream) hash.update(chunk);
  return hash.digest('hex');
}

/** So often one read asks for an object whose answer ends before its last byte. */
const READS = 4;

/**
 * The bytes of a small object. An answer that breaks off is asked for again at once: a stage that reads many objects
 * would start again for each, and meet the same network. Throws OBJECT_MISSING, and STORE_UNAVAILABLE.
 */
export async function readBytes(store: ObjectReader, key: string): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const { stream } = await store.get(key);
    try {
      return await bytesOf(stream);
    } catch (error) {
      if (attempt === READS) throw error;
    }
  }
}

/** The bytes of a small object, or null when the key is free. */
export const readBytesIfPresent = (store: ObjectReader, key: string): Promise<Buffer | null> =>
  readBytes(store, key).catch(nullOn('OBJECT_MISSING'));

/** The keys of all objects below a prefix, in their order. */
export async function keysBelow(store: ObjectReader, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** The same without the prefix, and without the ending `.json`. */
export const namesBelow = async (store: ObjectReader, prefix: string): Promise<string[]> =>
  (await keysBelow(store, prefix)).map((key) => key.slice(prefix.length).replace(/\.json$/, ''));

/** Reads a small JSON object through its schema (any object with a zod-like `parse`). */
export async function readJson<T>(store: ObjectReader, key: string, schema: { parse(value: unknown): T }): Promise<T> {
  return schema.parse(JSON.parse((await readBytes(store, key)).toString('utf8')));
}

/** The value of a JSON text; null when it is not one. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The bytes under which a JSON value is stored everywhere: canonical, with a line end. */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(`${canonicalJson(value)}\n`, 'utf8');

/**
 * Writes bytes if the key is free; the bytes that are stored in the end, ours or those of whoever came first.
 * Safe to run twice: the second run reads what the first one wrote.
 */
export async function putOnce(store: ObjectStore, key: string, bytes: Uint8Array): Promise<Buffer> {
  const outcome = await store.putIfAbsent(key, bytes);
  return outcome === 'created' ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : readBytes(store, key);
}
