import { join, resolve, sep } from 'node:path';
import { wrongUse } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import type { HistoryPlace } from '../../services/publication/verification-check.ts';
import { SERIES_FILES } from '../../services/series-pages/series-files.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { type FolderFiles, readFolder } from './folder-files.ts';
import { fetchFile, webAddress } from './web-address.ts';
import { readWebFolder, webReader } from './web-files.ts';

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
  return head && { folder: webReader(address, head), head };
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

/** The series that a person names for the history of a publication. Throws USAGE, STORE_UNAVAILABLE. */
export async function openHistory(place: string): Promise<ObjectReader> {
  if (!webAddress(place)) return new FolderStore(place);
  const series = await seriesAt(place);
  if (!series) throw wrongUse(`There is no ${SERIES_FILES.head} at the address of --history; name that of the series.`);
  return series.folder;
}

/**
 * Where the earlier publications of a release are: in the series that a person named, else around the folder of the
 * release, where it is at the path that publishers write to. Null: nobody knows.
 */
export function historyPlace(
  place: string,
  series: ObjectReader | null,
  release: ReleaseReference,
): HistoryPlace | null {
  const own = resolve(place);
  const isAround = !webAddress(place) && own.endsWith(`${sep}${join(releasePath(release))}`);
  const folder = series ?? (isAround ? new FolderStore(join(own, '..', '..')) : null);
  return folder && { store: underName(release.series, folder), isNamed: series !== null };
}
