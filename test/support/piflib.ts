import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInCache } from '../../infra/provision/cache-folder.mjs';

const VERSION = '0.1.1';

class NotInstalled extends Error {}

/**
 * Python of a virtual environment that has piflib from PyPI, made once and kept in the cache; or, in a sentence, why
 * there is none on this machine.
 */
export async function providePiflib(): Promise<{ python: string } | { missing: string }> {
  try {
    return { python: await installInCache('piflib', VERSION, 'python', fill) };
  } catch (error) {
    if (error instanceof NotInstalled) return { missing: error.message };
    throw error;
  }
}

async function fill(folder: string): Promise<void> {
  const environment = join(folder, 'environment');
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0)
    throw new NotInstalled('python3 cannot make a virtual environment here');
  const words = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '10', `piflib==${VERSION}`];
  if (spawnSync(join(environment, 'bin', 'python'), words, { timeout: 600_000 }).status !== 0)
    throw new NotInstalled(`PyPI cannot be reached, or has no piflib ${VERSION} for this machine`);
  // An environment knows its packages by where its own Python lies, so that it may be moved.
  const start = '#!/bin/sh\nexec "$(dirname "$0")/environment/bin/python" "$@"\n';
  await writeFile(join(folder, 'python'), start);
  await chmod(join(folder, 'python'), 0o755);
}
