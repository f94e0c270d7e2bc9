import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';

/** A folder as it was read: its plain files by name, and what else is in it. */
export type FolderFiles = { files: ReadonlyMap<string, Buffer>; others: string[] };

/** A publication has some twenty files; the largest of a large city has some hundred megabytes. */
export const MOST_FILES = 1000;
export const MOST_BYTES_OF_FILE = 2 ** 31 - 1;
export const MOST_BYTES = 2 ** 32;

/**
 * Reads a folder, not what is below it; links are not followed. Throws USAGE when it cannot be read, or holds more than a
 * publication ever does.
 */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) throw new OpalineError('USAGE', 'The folder cannot be read; name the folder of one publication.');
  if (entries.length > MOST_FILES) throw tooMuch();
  const files = new Map<string, Buffer>();
  const others: string[] = [];
  let left = MOST_BYTES;
  for (const entry of entries) {
    if (!entry.isFile()) {
      others.push(entry.name);
      continue;
    }
    const { bytes, refusal } = await readBoundedFile(join(folder, entry.name), Math.min(left, MOST_BYTES_OF_FILE));
    if (refusal === 'too large') throw tooMuch();
    if (!bytes) throw new OpalineError('USAGE', 'A file of the folder cannot be read.');
    left -= bytes.length;
    files.set(entry.name, bytes);
  }
  return { files, others: others.sort() };
}

const tooMuch = (): OpalineError =>
  new OpalineError('USAGE', 'The folder holds more than a publication does; name the folder of one publication.');
