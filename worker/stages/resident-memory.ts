import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Resident memory of a process, in MiB; null when it is gone, or when the system does not tell. */
export async function residentMiB(pid: number): Promise<number | null> {
  const [text, pattern] =
    process.platform === 'linux'
      ? ([readFile(`/proc/${pid}/status`, 'utf8'), /^VmRSS:\s+(\d+) kB$/m] as const)
      : ([run('ps', ['-o', 'rss=', '-p', String(pid)]).then(({ stdout }) => stdout), /(\d+)/] as const);
  const kib = pattern.exec(await text.catch(() => ''))?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}
