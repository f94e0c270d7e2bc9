import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInCache } from '../../infra/provision/cache-folder.mjs';

/** A Python with some packages, or in a sentence why there is none on this machine. */
export type PythonPackages = { python: string } | { missing: string };

class NotInstalled extends Error {}

/**
 * Python of a virtual environment that has packages from PyPI, as `name==version`, made once and kept in the cache below
 * `tool`.
 */
async function providePackages(tool: string, packages: readonly string[]): Promise<PythonPackages> {
  const version = createHash('sha256').update(packages.join()).digest('hex').slice(0, 16);
  try {
    return { python: await installInCache(tool, version, 'python', (folder) => fill(folder, packages)) };
  } catch (error) {
    if (error instanceof NotInstalled) return { missing: error.message };
    throw error;
  }
}

export const providePiflib = (): Promise<PythonPackages> => providePackages('piflib', ['piflib==0.1.1']);

/** What people read tables with. */
export const provideReaders = (): Promise<PythonPackages> =>
  providePackages('python-readers', ['pandas==2.3.3', 'pyarrow==22.0.0', 'duckdb==1.4.3']);

async function fill(folder: string, packages: readonly string[]): Promise<void> {
  const environment = join(folder, 'environment');
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0)
    throw new NotInstalled('python3 cannot make a virtual environment here');
  const words = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '10', ...packages];
  if (spawnSync(join(environment, 'bin', 'python'), words, { timeout: 600_000 }).status !== 0)
    throw new NotInstalled(`PyPI cannot be reached, or lacks one of ${packages.join(', ')} for this machine`);
  // An environment knows its packages by where its own Python lies, so that it may be moved.
  const start = '#!/bin/sh\nexec "$(dirname "$0")/environment/bin/python" "$@"\n';
  await writeFile(join(folder, 'python'), start);
  await chmod(join(folder, 'python'), 0o755);
}
