import { OpalineError } from '../../../contracts/errors.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import { readBytes } from '../../stores/json-objects.ts';

/**
 * Puts the worker's own bytes into the release store, and puts them back when they were taken away. Throws COPY_DIFFERS
 * when others lie there: they are not believed, and are left for people to look at.
 *
 * @contract C11
 */
export async function putCopy(store: ObjectStore, key: string, bytes: Buffer): Promise<void> {
  if ((await store.putIfAbsent(key, bytes)) === 'created') return;
  if ((await readBytes(store, key)).equals(bytes)) return;
  throw new OpalineError(
    'COPY_DIFFERS',
    `The release store holds something else at ${key}; find out who wrote it, take it away, and retry.`,
  );
}
