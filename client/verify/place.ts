import { basename, dirname, join, resolve } from 'node:path';
import { readBoundedFile } from '../../activities/bounded-file.ts';
import { SERIES_FILES } from '../../activities/series-pages/names.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { type FolderFiles, readFolder } from './folder-files.ts';
import { fetchFile, webAddress } from './web-address.ts';
import { readWebFolder, WebReader } from './web-files.ts';

/** A place is the path of a folder, or an address of the web, of one publication or of a series. */

/** Files of the publication at a place. Throws USAGE when there is none, STORE_UNAVAILABLE. */
export function readPublicationAt(place: string): Promise<FolderFiles> {
  const address = webAddress(place);
  return address ? readWebFolder(address) : readFolder(place);
}

/** A head of ten thousand releases has two megabytes. */
export const MOST_HEAD_BYTES = 64 * 2 ** 20;

/** A series with what holds it, and its signed head, which is read once. */
export type SeriesPlace = { store: ObjectReader; series: string; head: Buffer };

/** The series at a place; null where there is no head, as at that of a release. Throws USAGE, STORE_UNAVAILABLE. */
export async function seriesAt(place: string): Promise<SeriesPlace | null> {
  const address = webAddress(place);
  if (!address) {
    const path = resolve(place);
    const { bytes } = await readBoundedFile(join(path, SERIES_FILES.head), MOST_HEAD_BYTES);
    return bytes && { store: new FolderStore(dirname(path)), series: basename(path), head: bytes };
  }
  const head = await fetchFile(new URL(SERIES_FILES.head, address), MOST_HEAD_BYTES);
  if (!head) return null;
  const parent = new URL('..', address);
  const series = decodeURIComponent(address.pathname.slice(parent.pathname.length, -1));
  return { store: new WebReader(parent, head), series, head };
}
