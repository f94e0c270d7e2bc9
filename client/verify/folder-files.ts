import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';

/** A folder as it was read: its plain files by name, and what else is in it. */
export type FolderFiles = { files: ReadonlyMap<string, Buffer>; others: string[] };

/** Reads a folder, not what is below it; links are not followed. Throws USAGE when it cannot be read. */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const files = new Map<string, Buffer>();
  const others: string[] = [];
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isFile()) files.set(entry.name, await readFile(join(folder, entry.name)));
      else others.push(entry.name);
    }
  } catch {
    throw new OpalineError('USAGE', 'The folder cannot be read; name the folder of one publication.');
  }
  return { files, others: others.sort() };
}
