import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpalineError, wrongUse } from '../../contracts/errors.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';

/** A folder as it was read: its plain files by name, and what else is in it. */
export type FolderFiles = { files: ReadonlyMap<string, Buffer>; others: string[] };

/** A publication has some twenty files; the largest of a large city has some hundred megabytes. */
const MOST_FILES = 1000;
const MOST_BYTES_OF_FILE = 2 ** 31 - 1;
const MOST_BYTES = 2 ** 32;

/** Refuses what holds more than a publication ever does. */
export const tooMuch = (): OpalineError =>
  wrongUse('There is more than a publication holds; name the folder or address of one publication.');

/** Reads files one after the other, those that are there. Throws USAGE for more than a publication ever holds. */
export async function readFiles(
  names: readonly string[],
  read: (name: string, mostBytes: number) => Promise<Buffer | null>,
): Promise<Map<string, Buffer>> {
  if (names.length > MOST_FILES) throw tooMuch();
  const files = new Map<string, Buffer>();
  let rest = MOST_BYTES;
  for (const name of names) {
    const bytes = await read(name, Math.min(rest, MOST_BYTES_OF_FILE));
    if (!bytes) continue;
    rest -= bytes.length;
    files.set(name, bytes);
  }
  return files;
}

/**
 * Reads a folder, not what is below it; links are not followed. Throws USAGE when it cannot be read, or holds too much.
 */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) throw wrongUse('The folder cannot be read; name the folder of one publication.');
  if (entries.length > MOST_FILES) throw tooMuch();
  const plain = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const others = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  const files = await readFiles(plain, async (name, mostBytes) => {
    const { bytes, refusal } = await readBoundedFile(join(folder, name), mostBytes);
    if (refusal === 'too large') throw tooMuch();
    if (!bytes) throw wrongUse('A file of the folder cannot be read.');
    return bytes;
  });
  return { files, others: others.sort() };
}
