import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { jsonBytes, jsonOrNull } from './json-objects.ts';

/** A mutable JSON object as it was read. `generation` starts at 1 and grows by one with every swap. */
export type MutableObject = { generation: number; value: Value; page: PageObject };
type Value = Record<string, unknown>;

/** The mutable object at the key, or null. Throws OBJECT_UNREADABLE when what is there is not one. */
export async function readMutable(store: ObjectStore, key: string): Promise<MutableObject | null> {
  const page = await store.readPage(key);
  if (page === null) return null;
  const json = jsonOrNull(Buffer.from(page.bytes).toString('utf8'));
  const { generation, ...value }: Value = { ...(typeof json === 'object' ? json : null) };
  if (typeof generation === 'number' && Number.isSafeInteger(generation) && generation >= 1)
    return { generation, value, page };
  throw new OpalineError(
    'OBJECT_UNREADABLE',
    'An object that should be mutable is not JSON with a generation; it was not written by Opaline.',
  );
}

/** Times that people who change the same object at once may get in each other's way. */
const ATTEMPTS = 20;

/**
 * Changes a mutable object, whoever changes it at the same time; `change` gives its next value, or null to leave it.
 * Throws STORE_UNAVAILABLE.
 */
export async function changeMutable(
  store: ObjectStore,
  key: string,
  change: (value: Value | null) => Value | null | Promise<Value | null>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = await readMutable(store, key);
    const next = await change(current?.value ?? null);
    if (next === null || (await swapMutable(store, key, current, next))) return;
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep changing ${key} at the same time; try again.`);
}

/**
 * Replaces a mutable object if it is still the one that was read (`null`: if there is none), as swapPage does. The stored
 * JSON is the value with its generation, which makes the bytes of every swap differ: an ETag, which repeats when content
 * repeats, names one generation only.
 */
export const swapMutable = (
  store: ObjectStore,
  key: string,
  current: MutableObject | null,
  value: Value,
): Promise<boolean> =>
  store.swapPage(key, current?.page ?? null, jsonBytes({ ...value, generation: (current?.generation ?? 0) + 1 }));
