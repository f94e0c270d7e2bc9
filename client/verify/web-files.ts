import { Readable } from 'node:stream';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { FILES } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { readHead } from '../../services/series-pages/head-file.ts';
import { type FolderFiles, readFiles } from './folder-files.ts';
import { fetchFile, newPatience } from './web-address.ts';

/** A name that is one part of a path, and no way out of it. */
const isPlainName = (name: string): boolean => /^[^/\\%?#\p{Cc}]{1,200}$/u.test(name) && !/^\.+$/.test(name);

/** A thousand lines of a digest and a name. */
const MOST_BYTES_OF_LIST = 2 ** 20;

/**
 * Reads a publication of the web: the files that its SHA256SUMS lists, and a tombstone where there is one. What else a
 * server has cannot be seen. Throws USAGE when there is no such list, STORE_UNAVAILABLE.
 */
export async function readWebFolder(address: URL, patience = newPatience()): Promise<FolderFiles> {
  const read = (name: string, mostBytes: number): Promise<Buffer | null> =>
    fetchFile(new URL(encodeURIComponent(name), address), mostBytes, patience);
  const list = await read(FILES.checksums, MOST_BYTES_OF_LIST);
  if (!list) throw wrongUse(`There is no ${FILES.checksums} at the address; name that of one publication.`);
  const lines = list.toString('utf8').split('\n');
  const names = new Set([...lines.map((line) => line.slice(66)).filter(isPlainName), FILES.retraction]);
  return { files: new Map([[FILES.checksums, list], ...(await readFiles([...names], read))]), others: [] };
}

/** A head of ten thousand releases has two megabytes, and so has the largest of their manifests. */
const MOST_BYTES_OF_PAGE = 256 * 2 ** 20;

/**
 * The publications of one series of the web, of those that its head names: a server gives no list. `address`: that of the
 * folder of the series.
 */
export function webReader(address: URL, head: Buffer): ObjectReader {
  const patience = newPatience();
  const read = (key: string): Promise<Buffer | null> =>
    fetchFile(new URL(key.split('/').map(encodeURIComponent).join('/'), address), MOST_BYTES_OF_PAGE, patience);
  return {
    /** Throws OBJECT_MISSING, USAGE for an object that is too long, STORE_UNAVAILABLE. */
    async get(key) {
      const bytes = await read(key);
      if (!bytes) throw new OpalineError('OBJECT_MISSING', `There is no ${key} at the address.`);
      return { stream: Readable.from([bytes]), facts: { key, size: bytes.length, tag: '' } };
    },
    /** The lists of checksums of the releases that the head names. */
    async *list(prefix) {
      const { series, releases } = readHead(head).head;
      for (const { release } of releases) {
        const key = `${release.slice(series.length + 1)}/${FILES.checksums}`;
        const sums = key.startsWith(prefix) ? await read(key) : null;
        if (sums) yield { key, size: sums.length, tag: '' };
      }
    },
  };
}
