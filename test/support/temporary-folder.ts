import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Memory as a folder, on Linux, and the bytes that have to be free there and in all: a run uses a few hundred MiB. */
const MEMORY = '/dev/shm';
const ROOM = 6 * 2 ** 30;

/** Most of what stores do on a disk is to wait until it keeps what a test removes again in a second. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

// The temporary folder of a test file and of its processes is its own, beside that of every other file of this process,
// and is removed after all that it does at its end.
process.env.OPALINE_TEST_TMPDIR ??= quickFolder();
const folder = mkdtempSync(join(process.env.OPALINE_TEST_TMPDIR, 'opaline-test-'));
process.env.TMPDIR = folder;
afterAll(() => {
  process.env.TMPDIR = process.env.OPALINE_TEST_TMPDIR;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
