import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInCache } from '../../infra/provision/cache.mjs';

class NotInstalled extends Error {}

/**
 * Python of a virtual environment that has these packages from PyPI, each `name==version`, made once and kept in the
 * cache under its name; or, in a sentence, why there is none on this machine.
 */
export async function providePython(
  name: string,
  packages: readonly string[],
): Promise<{ python: string } | { missing: string }> {
  try {
    return { python: await installInCache(name, packages.join('+'), 'python', (folder) => fill(folder, packages)) };
  } catch (error) {
    if (error instanceof NotInstalled) return { missing: error.message };
    throw error;
  }
}

async function fill(folder: string, packages: readonly string[]): Promise<void> {
  const environment = join(folder, 'environment');
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0)
    throw new NotInstalled('python3 cannot make a virtual environment here');
  const words = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '10', ...packages];
  if (spawnSync(join(environment, 'bin', 'python'), words, { timeout: 600_000 }).status !== 0)
    throw new NotInstalled(`PyPI cannot be reached, or has no ${packages.join(', ')} for this machine`);
  // An environment knows its packages by where its own Python is, so that it may be moved.
  const start = '#!/bin/sh\nexec "$(dirname "$0")/environment/bin/python" "$@"\n';
  await writeFile(join(folder, 'python'), start);
  await chmod(join(folder, 'python'), 0o755);
}
