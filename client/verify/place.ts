import { join, resolve } from 'node:path';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { SERIES_FILES } from '../../services/series-pages/series-files.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
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

/** What holds a series, under keys without its name, and its signed head, which is read once and says that name. */
export type SeriesPlace = { folder: ObjectReader; head: Buffer };

/** The series at a place; null where there is no head, as at that of a release. Throws USAGE, STORE_UNAVAILABLE. */
export async function seriesAt(place: string): Promise<SeriesPlace | null> {
  const address = webAddress(place);
  if (!address) {
    const path = resolve(place);
    const { bytes } = await readBoundedFile(join(path, SERIES_FILES.head), MOST_HEAD_BYTES);
    return bytes && { folder: new FolderStore(path), head: bytes };
  }
  const head = await fetchFile(new URL(SERIES_FILES.head, address), MOST_HEAD_BYTES);
  return head && { folder: new WebReader(address, head), head };
}

/** The same objects under the keys that publishers write: a copy may have any name as its folder's. */
export function underName(series: string, folder: ObjectReader): ObjectReader {
  const below = (key: string): string => key.slice(series.length + 1);
  return {
    get: (key) => folder.get(below(key)),
    async *list(prefix) {
      for await (const facts of folder.list(below(prefix))) yield { ...facts, key: `${series}/${facts.key}` };
    },
  };
}
