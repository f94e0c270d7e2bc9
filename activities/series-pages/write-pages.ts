import { OpalineError } from '../../contracts/errors.ts';
import { PUBLIC_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { generationOf } from './page-frame.ts';

/** Others can publish windows of the same series at the same time; each of them writes a page once. */
const ATTEMPTS = 20;

/** Pages that are written at once. */
const AT_ONCE = 8;

/**
 * Writes pages of a series, each by compare and swap, and never over one of a later generation: of two that write at the
 * same time, the one that has seen more wins, in whatever order they come. Safe to run twice. Throws STORE_UNAVAILABLE
 * when others keep writing.
 */
export async function writePages(
  store: ObjectStore,
  series: string,
  pages: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const entries = [...pages];
  for (let start = 0; start < entries.length; start += AT_ONCE)
    await Promise.all(
      entries.slice(start, start + AT_ONCE).map(([page, bytes]) => writePage(store, series, page, bytes)),
    );
}

async function writePage(store: ObjectStore, series: string, page: string, bytes: Buffer): Promise<void> {
  const key = PUBLIC_KEYS.page(series, page);
  const generation = generationOf(bytes) ?? 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.readPage(key);
    if (current && (bytes.equals(current.bytes) || (generationOf(current.bytes) ?? 0) > generation)) return;
    if (await store.swapPage(key, current, bytes)) return;
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep writing the pages of ${series} at the same time.`);
}
