import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { readDocument } from './signed-document.ts';

/** A document that lies in a store in an envelope; whose signatures it carries is another question. */
export type StoredDocument<T> = { document: T; envelope: Envelope; digest: string };

/** Objects that are looked at below one prefix: whoever can write there can make people wait, and nothing else. */
const LOOKED_AT = 1000;

/** An order names at most 100,000 partitions. */
const MOST_BYTES = 16 * 2 ** 20;

/**
 * The documents of one schema below a prefix, each under the SHA-256 of its bytes. What is anything else is passed over:
 * in the release store anybody may have put it.
 */
export async function signedBelow<T>(
  store: ObjectStore,
  prefix: string,
  schema: Parameters<typeof readDocument<T>>[1],
): Promise<StoredDocument<T>[]> {
  const found: StoredDocument<T>[] = [];
  let looked = 0;
  for await (const { key, size } of store.list(prefix)) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (size > MOST_BYTES) continue;
    const bytes = await readBytes(store, key);
    const stored = storedDocument(bytes, schema);
    if (stored && key.endsWith(`/${stored.digest}.json`)) found.push(stored);
  }
  return found;
}

/** The document that the bytes are; null when they are none. */
export function storedDocument<T>(
  bytes: Buffer,
  schema: Parameters<typeof readDocument<T>>[1],
): StoredDocument<T> | null {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(bytes.toString('utf8')));
    return { document: readDocument(envelope, schema, 'document'), envelope, digest: sha256(bytes) };
  } catch (error) {
    if (error instanceof OpalineError && error.code !== 'SIGNATURE_INVALID') throw error;
    return null;
  }
}
