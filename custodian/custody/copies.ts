import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes } from '../../services/stores/json-objects.ts';

/**
 * Puts the worker's own bytes into the release store, and puts them back when they were taken away. Throws COPY_DIFFERS
 * when other bytes are there that `isSame` does not accept as the same: they are not believed, and are left for people
 * to see.
 *
 * @contract C11
 */
export async function putCopy(
  store: ObjectStore,
  key: string,
  bytes: Buffer,
  isSame: (bytes: Buffer) => boolean = () => false,
): Promise<void> {
  if ((await store.putIfAbsent(key, bytes)) === 'created') return;
  const before = await readBytes(store, key);
  if (before.equals(bytes) || isSame(before)) return;
  throw new OpalineError(
    'COPY_DIFFERS',
    `The release store holds something else at ${key}; find out who wrote it, take it away, and retry.`,
  );
}
