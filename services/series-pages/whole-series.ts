import { open, rm } from 'node:fs/promises';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { checksumLines } from '../publication/checksums.ts';
import { generationMark } from './page-frame.ts';
import { stateOf } from './publication-state.ts';
import { releaseFolder } from './series-files.ts';
import { readListedFile, type SeriesRelease } from './series-release.ts';

/** A table in the download of a whole series: one folder for each table, and in it one for each window. */
type SeriesTable = { path: string; of: SeriesRelease; file: string; sha256: string };

/** The Parquet tables of all current releases: of each window the version that counts. */
const tablesOf = (releases: readonly SeriesRelease[]): SeriesTable[] =>
  releases
    .filter((one) => stateOf(one, releases).state === 'current')
    .flatMap((of) =>
      of.manifest.files.flatMap(({ name: file, sha256 }) => {
        const { window, version } = of.release;
        const path = `${file.replace('.parquet', '')}/window=${window}/v${version}.parquet`;
        return file.endsWith('.parquet') ? [{ path, of, file, sha256 }] : [];
      }),
    );

/** tables.sha256: digests of the tables of a series by their paths in its download, as `sha256sum -c` reads them. */
export const tablesList = (releases: readonly SeriesRelease[], generation: number): Buffer =>
  Buffer.from(
    `# ${generationMark(generation)}\n${checksumLines(new Map(tablesOf(releases).map(({ path, sha256 }) => [path, sha256])))}`,
  );

const BLOCK = 512;

/** The head of a file in a tar archive (POSIX ustar): its name and size, and no time, person or computer. */
function tarHead(name: string, size: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  const put = (text: string, at: number): number => head.write(text, at, 'latin1');
  put(name, 0);
  put('0000644\0', 100);
  put('0000000\x000000000\0', 108);
  put(`${size.toString(8).padStart(11, '0')}\x0000000000000\0`, 124);
  put('        0', 148);
  put('ustar\x0000', 257);
  const sum = head.reduce((all, byte) => all + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/**
 * Writes a new tar archive of all tables of a series and the list of their digests; equal publications give equal bytes.
 * Gives the number of tables. Throws USAGE when the file is there, and VERIFICATION_FAILED for a table that is not the
 * one that its manifest names. Cost: one table in memory at a time.
 */
export async function writeWholeSeries(
  store: ObjectReader,
  releases: readonly SeriesRelease[],
  list: Buffer,
  path: string,
): Promise<number> {
  const archive = await open(path, 'wx').catch(() => {
    throw wrongUse(`${path} is there already, or cannot be written; name a new file.`);
  });
  const add = async (name: string, bytes: Buffer): Promise<void> => {
    await archive.write(tarHead(name, bytes.length));
    await archive.write(Buffer.concat([bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))]));
  };
  const tables = tablesOf(releases);
  try {
    await add('SHA256SUMS', list);
    for (const { path: name, of, file } of tables) {
      const bytes = await readListedFile(store, of, file);
      if (!bytes)
        throw new OpalineError('VERIFICATION_FAILED', `${releaseFolder(of.release)}${file} is not what was published.`);
      await add(name, bytes);
    }
    await archive.write(Buffer.alloc(2 * BLOCK));
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await archive.close();
  }
  return tables.length;
}
