import { OpalineError } from '../../contracts/errors.ts';
import { PUBLIC_KEYS } from '../../contracts/names.ts';
import type { ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { generationOf } from './page-frame.ts';

/** Others can publish windows of the same series at the same time; each of them writes a page once. */
const ATTEMPTS = 20;

/** Pages that are read at once; nearly all of a long series are as they should be. */
const AT_ONCE = 8;

/**
 * Writes pages of a series, in their order and each by compare and swap, and never over one of a later generation: of two
 * that write at the same time, the one that has seen more wins, in whatever order they come. Safe to run twice. Throws
 * STORE_UNAVAILABLE when others keep writing. Cost: one read for each page, and one write for each that changes.
 */
export async function writePages(
  store: ObjectStore,
  series: string,
  pages: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const entries = [...pages].map(([page, bytes]) => ({ key: PUBLIC_KEYS.page(series, page), bytes }));
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    const current = await Promise.all(some.map(({ key }) => store.readPage(key)));
    for (const [place, { key, bytes }] of some.entries()) await writePage(store, key, bytes, current[place]!);
  }
}

async function writePage(store: ObjectStore, key: string, bytes: Buffer, read: PageObject | null): Promise<void> {
  const generation = generationOf(bytes) ?? 0;
  let current = read;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (current && (bytes.equals(current.bytes) || (generationOf(current.bytes) ?? 0) > generation)) return;
    if (await store.swapPage(key, current, bytes)) return;
    current = await store.readPage(key);
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep writing ${key} at the same time.`);
}
