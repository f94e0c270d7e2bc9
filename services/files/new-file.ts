import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { wrongUse } from '../../contracts/errors.ts';
import { hasCode } from '../system-error.ts';

const PRESENT = 'is there already and is kept; name a new file.';

/** Before work whose result is to be a new file. Throws USAGE when the file is there. */
export function refuseOldFile(path: string): void {
  if (existsSync(path)) throw wrongUse(`${path} ${PRESENT}`);
}

/**
 * Writes a file that is not there yet: it appears whole or not at all. Throws USAGE when it is there, and leaves it as it
 * was, and when its folder cannot be written.
 */
export const writeNewFile = (path: string, text: string, mode: number): Promise<void> =>
  writeWhole(path, text, mode, link);

/** Writes a file instead of one that may be there: the old one or the new one is there, never a part. Throws USAGE. */
export const replaceFile = (path: string, text: string): Promise<void> => writeWhole(path, text, 0o644, rename);

async function writeWhole(path: string, text: string, mode: number, place: typeof link): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(part, text, { mode, flag: 'wx' });
    await place(part, path);
  } catch (error) {
    throw wrongUse(`${path} ${hasCode(error, 'EEXIST') ? PRESENT : 'cannot be written; check its folder.'}`);
  } finally {
    await rm(part, { force: true });
  }
}
