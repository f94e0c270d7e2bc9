import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownPrefix } from '../leftovers.ts';

/** Runs work with a fresh folder below `scratch`, and removes it afterwards, whatever happened. */
export async function withScratchFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, ownPrefix('public')));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
