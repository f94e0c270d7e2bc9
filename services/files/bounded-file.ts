import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Not blocking: to open a pipe that nobody writes to would wait for ever. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** The bytes of a file, or why there are none. */
export type BoundedFile = { bytes: Buffer; refusal: null } | { bytes: null; refusal: 'unreadable' | 'too large' };

/**
 * Reads a file that people name, if it is a regular file of at most `mostBytes` bytes: a device or a pipe would be read
 * without end.
 */
export async function readBoundedFile(path: string, mostBytes: number): Promise<BoundedFile> {
  const handle = await open(path, READ).catch(() => null);
  try {
    const facts = await handle?.stat();
    if (!handle || !facts?.isFile()) return { bytes: null, refusal: 'unreadable' };
    if (facts.size > mostBytes) return { bytes: null, refusal: 'too large' };
    return { bytes: await handle.readFile(), refusal: null };
  } finally {
    await handle?.close();
  }
}
