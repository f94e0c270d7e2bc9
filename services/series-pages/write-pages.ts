import { OpalineError } from '../../contracts/errors.ts';
import { PUBLIC_KEYS } from '../../contracts/names.ts';
import type { ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { generationOf } from './page-frame.ts';

/** Others can publish windows of the same series at the same time; each of them writes a page once. */
const ATTEMPTS = 20;

/** Pages that are read at once; nearly all of a long series are as they should be. */
const AT_ONCE = 8;

/** Pages of a series by name. */
type Pages = ReadonlyMap<string, Buffer>;

/**
 * Writes pages of a series, in their order and each by compare and swap: of two that write at the same time, the one that
 * has seen more wins, in whatever order they come. A page that claims a later generation is believed only when it is what
 * `again` makes of the publications that are there by now; any other is written over, and its name given. Safe to run
 * twice. Throws STORE_UNAVAILABLE when others keep writing. Cost: one read for each page, and one write for each that
 * changes.
 */
export async function writePages(
  store: ObjectStore,
  series: string,
  pages: Pages,
  again: () => Promise<Pages>,
): Promise<string[]> {
  const entries = [...pages];
  const writtenOver: string[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    const current = await Promise.all(some.map(([page]) => store.readPage(PUBLIC_KEYS.page(series, page))));
    for (const [place, [page, bytes]] of some.entries()) {
      const newer = async () => (await again()).get(page) ?? bytes;
      const key = PUBLIC_KEYS.page(series, page);
      if (await writePage(store, { key, bytes, newer }, current[place]!)) writtenOver.push(page);
    }
  }
  return writtenOver;
}

/** Says whether a page was written over that claimed a later generation. */
async function writePage(
  store: ObjectStore,
  { key, bytes: made, newer }: { key: string; bytes: Buffer; newer: () => Promise<Buffer> },
  before: PageObject | null,
): Promise<boolean> {
  let [bytes, current] = [made, before];
  const claim = (page: Uint8Array): number => generationOf(page) ?? 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Read after the page: an honest one follows from publications that were there before it.
    if (current && claim(current.bytes) > claim(bytes)) bytes = await newer();
    if (current && bytes.equals(current.bytes)) return false;
    const isOver = current !== null && claim(current.bytes) > claim(bytes);
    if (await store.swapPage(key, current, bytes)) return isOver;
    current = await store.readPage(key);
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep writing ${key} at the same time.`);
}
