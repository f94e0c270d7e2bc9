import files from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../system-error.ts';

/**
 * Temporary files and folders that say which process made them, so that those of a killed process can be distinguished
 * from those of a living one, also when several workers share a folder.
 */

/** A process of another machine cannot be asked whether it lives: what it has not touched for so long is left over. */
const FOREIGN_AGE_MS = 86_400_000;

const HOST = hostname().replace(/[^A-Za-z0-9]/g, '');

/** `KIND-HOST-PID-`: the beginning of a temporary name of this process. */
export const ownPrefix = (kind: string): string => `${kind}-${HOST}-${process.pid}-`;

const start = Date.now();

/**
 * Removes what processes that are gone left in a folder: those of this machine that do not run any more, predecessors
 * of this process with the same id, and those of other machines after a day. Gives the number of names removed. Safe
 * beside any number of processes: what a living one of this machine made is never touched.
 */
export async function removeLeftovers(folder: string, kind: string): Promise<number> {
  let count = 0;
  for await (const name of files.glob(`${kind}-*-*-*`, { cwd: folder })) {
    const path = join(folder, name);
    const [, host, pid] = name.split('-');
    if (!(await isLeftOver(path, host, Number(pid)))) continue;
    await files.rm(path, { recursive: true, force: true });
    count += 1;
  }
  return count;
}

async function isLeftOver(path: string, host: string | undefined, pid: number): Promise<boolean> {
  const facts = await files.stat(path).catch(() => null);
  if (!facts) return false;
  if (host !== HOST) return start - facts.mtimeMs > FOREIGN_AGE_MS;
  // A container that is started again often has the process id of its predecessor.
  if (pid === process.pid) return facts.birthtimeMs < start - process.uptime() * 1000;
  return !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
