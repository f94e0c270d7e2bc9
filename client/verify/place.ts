import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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

/** Is it the place of a series? That of a release has a manifest, and no head. Throws USAGE, STORE_UNAVAILABLE. */
export async function isSeriesAt(place: string): Promise<boolean> {
  const address = webAddress(place);
  if (address) return (await fetchFile(new URL(SERIES_FILES.head, address), MOST_HEAD_BYTES)) !== null;
  return access(join(place, SERIES_FILES.head)).then(
    () => true,
    () => false,
  );
}

/** A head of ten thousand releases has two megabytes. */
export const MOST_HEAD_BYTES = 64 * 2 ** 20;

/** The series at a place, with what holds it. Throws USAGE for an address that cannot be one. */
export function seriesAt(place: string): { store: ObjectReader; series: string } {
  const address = webAddress(place);
  if (!address) {
    const path = resolve(place);
    return { store: new FolderStore(dirname(path)), series: basename(path) };
  }
  const parent = new URL('..', address);
  const series = decodeURIComponent(address.pathname.slice(parent.pathname.length, -1));
  return { store: new WebReader(parent, series), series };
}
