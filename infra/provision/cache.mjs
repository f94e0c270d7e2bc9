import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { withLock } from './lock.mjs';
import { progress } from './progress.mjs';
import { isExecutable } from './run-program.mjs';

/**
 * Where Opaline keeps what it has installed for itself: OPALINE_CACHE, else XDG_CACHE_HOME/opaline, else
 * ~/.cache/opaline. Layout: `<tool>/<version>/<binary>`. The folder may be deleted at any time; it is filled again when
 * needed.
 */
export function cacheFolder(environment = process.env) {
  if (environment.OPALINE_CACHE) return resolve(environment.OPALINE_CACHE);
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'opaline');
}

/**
 * The path of a binary in the folder `<tool>/<version>` of the cache, which `fill` fills where it is not there yet. The
 * folder is filled under another name and renamed when complete, so that a reader never meets half a binary and a
 * process that is killed leaves nothing that looks installed. The lock only saves the work of building twice.
 */
export async function installInCache(tool, version, binary, fill) {
  const target = join(cacheFolder(), tool, version);
  const program = join(target, binary);
  if (isExecutable(program)) return program;
  await mkdir(dirname(target), { recursive: true });
  return withLock(
    `${target}.lock`,
    () => progress(`another process is installing ${tool} ${version}; waiting for it`),
    async () => {
      if (isExecutable(program)) return program;
      const temporary = await mkdtemp(`${target}.partial-`);
      try {
        await fill(temporary);
        await rm(target, { recursive: true, force: true });
        await rename(temporary, target);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
      return program;
    },
  );
}
