import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { mapAtOnce } from '../at-once.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { readDocument, type Schema } from './signed-document.ts';

/** A document that is in a store in an envelope; whose signatures it carries is another question. */
export type StoredDocument<T> = { document: T; envelope: Envelope; digest: string };

/** An order names at most 100,000 partitions. */
const MOST_BYTES = 16 * 2 ** 20;

/** Objects that are read at a time: whoever can write there can make people wait, and nothing else. */
const AT_ONCE = 8;

/**
 * The documents of one schema below a prefix that are meant, each under the SHA-256 of its bytes. What is anything else
 * is passed over, however much of it there is: in the release store anybody may have put it.
 */
export async function readDocuments<T>(
  store: ObjectReader,
  prefix: string,
  schema: Schema<T>,
  isMeant: (object: StoredDocument<T>) => boolean,
): Promise<StoredDocument<T>[]> {
  return readBelow(store, prefix, MOST_BYTES, (key, bytes) => {
    const object = parseDocument(bytes, schema);
    return object && key.endsWith(`/${object.digest}.json`) && isMeant(object) ? object : null;
  });
}

/** What `read` gives for the objects below a prefix that have at most `most` bytes; null: the object is passed over. */
export async function readBelow<T>(
  store: ObjectReader,
  prefix: string,
  most: number,
  read: (key: string, bytes: Buffer) => T | null,
): Promise<T[]> {
  const keys: string[] = [];
  for await (const { key, size } of store.list(prefix)) if (size <= most) keys.push(key);
  const objects = await mapAtOnce(keys, AT_ONCE, async (key) => read(key, await readBytes(store, key)));
  return objects.filter((one) => one !== null);
}

/** The document that the bytes are; null when they are not one. */
export function parseDocument<T>(bytes: Buffer, schema: Schema<T>): StoredDocument<T> | null {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(bytes.toString('utf8')));
    return { document: readDocument(envelope, schema, 'document'), envelope, digest: sha256(bytes) };
  } catch (error) {
    if (error instanceof OpalineError && error.code !== 'SIGNATURE_INVALID') throw error;
    return null;
  }
}
