import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { isDiskFull } from '../sql/duckdb.ts';
import { ownPrefix } from '../stores/leftovers.ts';

/** Kind of the temporary names of one piece of work; a worker sweeps those of killed ones at its start. */
const KIND = 'job';

/** For streams that write below scratch: rows of a source are their owner's alone, wherever the folder is. */
export const OWNERS_ALONE = { mode: 0o600 };

/** The error of a full disk below scratch. It names no path. */
export const scratchFull = (): OpalineError =>
  new OpalineError('OUT_OF_SCRATCH', 'The scratch disk of the worker is full; free some space.');

/** Runs work with a fresh folder below scratch, and removes it in any case. Throws OUT_OF_SCRATCH on a full disk. */
export async function withScratchFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    // In a current folder that somebody has removed, Node makes the folders of a relative path for ever.
    const absolute = resolve(scratch);
    await mkdir(absolute, { recursive: true });
    folder = await mkdtemp(join(absolute, ownPrefix(KIND)));
    return await work(folder);
  } catch (error) {
    throw withoutPaths(error);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const withoutPaths = (error: unknown): unknown =>
  !(error instanceof OpalineError) && isDiskFull(error) ? scratchFull() : error;
