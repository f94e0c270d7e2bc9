import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../contracts/errors.ts';
import { ownPrefix } from './leftovers.ts';
import { isDiskFull } from './sql/duckdb.ts';

/** Kind of the temporary names of one piece of work; a worker sweeps those of killed ones at its start. */
const KIND = 'job';

/** The error of a full disk below scratch. It names no path. */
export const scratchFull = (): OpalineError =>
  new OpalineError('OUT_OF_SCRATCH', 'The scratch disk of the worker is full; free some space.');

/** Runs work with a fresh folder below scratch, and removes it, whatever happened. Throws OUT_OF_SCRATCH on a full disk. */
export async function withScratchFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    await mkdir(scratch, { recursive: true });
    folder = await mkdtemp(join(scratch, ownPrefix(KIND)));
    return await work(folder);
  } catch (error) {
    throw told(error);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Keeps bytes in a file of its own below scratch while the work runs; for work that needs no folder, at a third of the
 * cost. Throws OUT_OF_SCRATCH on a full disk.
 */
export async function withScratchFile<T>(
  scratch: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(scratch, `${ownPrefix(KIND)}${randomUUID()}`);
  try {
    await writeWhereFolderIs(scratch, path, bytes);
    return await work(path);
  } catch (error) {
    throw told(error);
  } finally {
    await unlink(path).catch(() => undefined); // one that was never written
  }
}

/** Tries first: nearly every time the folder is there. */
async function writeWhereFolderIs(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await mkdir(folder, { recursive: true });
    await writeFile(path, bytes);
  }
}

const told = (error: unknown): unknown =>
  !(error instanceof OpalineError) && isDiskFull(error) ? scratchFull() : error;
