import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Resident memory of a process, in MiB; null when it is gone, or when the system does not tell. */
export async function residentMiB(pid: number): Promise<number | null> {
  const kib =
    process.platform === 'linux'
      ? await read(readFile(`/proc/${pid}/status`, 'utf8'), /^VmRSS:\s+(\d+) kB$/m)
      : await read(
          run('ps', ['-o', 'rss=', '-p', String(pid)]).then(({ stdout }) => stdout),
          /(\d+)/,
        );
  return kib === null ? null : kib / 1024;
}

async function read(text: Promise<string>, pattern: RegExp): Promise<number | null> {
  const match = pattern.exec(await text.catch(() => ''));
  return match ? Number(match[1]) : null;
}
