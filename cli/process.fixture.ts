import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/**
 * Where a command runs, and the deployment files that it reads, the client's and the custodians'; none unless named.
 * `main`: what is run, unless it is this checkout.
 */
export type Surroundings = { cwd?: string; deployment?: string; custodians?: string; main?: string };

/** How a command ended; `code` is null when a signal ended it. */
export type Ending = { code: number | null; stdout: string; stderr: string };

export type Running = { child: ChildProcessByStdio<null, Readable, Readable>; ending: Promise<Ending> };

/** Starts the real command line as a process of its own. */
export function start(args: string[], { cwd, deployment, custodians, main = MAIN }: Surroundings = {}): Running {
  const { OPALINE_DEPLOYMENT: _, OPALINE_PRIVATE_DEPLOYMENT: __, ...environment } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      npm_lifecycle_event: 'opaline', // as through npm, whatever has started the tests
      ...(deployment !== undefined && { OPALINE_DEPLOYMENT: deployment }),
      ...(custodians !== undefined && { OPALINE_PRIVATE_DEPLOYMENT: custodians }),
    },
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ending = Promise.all([exit, whatIsRead(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { child, ending };
}

/** A reader that had enough is no fault of the command. */
const whatIsRead = (stream: Readable): Promise<string> => text(stream).catch(() => '');

/** Runs a command to its end. */
export const run = (args: string[], surroundings?: Surroundings): Promise<Ending> => start(args, surroundings).ending;

/** What `opaline up` says until it is up, or has ended. Its standard error has to be a pipe. */
export async function untilUp(child: ChildProcess): Promise<string> {
  const up = Promise.withResolvers<void>();
  let output = '';
  child.stderr!.on('data', (text: Buffer) => {
    output += text;
    if (output.includes('Ctrl-C stops')) up.resolve();
  });
  await Promise.race([up.promise, once(child, 'close')]);
  return output;
}

/** A command line as people write it; no part of it holds a space. */
export const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

/** A mistake is one sentence with its code, and no stack. */
export const isOneSentence = (stderr: string): boolean =>
  /^[A-Z_]+: [^\n]+\n$/.test(stderr) && !/\n\s+at |node:internal|\.ts:\d/.test(stderr);

/** The deployment file of a client whose server does not answer and whose release store is a folder. */
export const offlineDeployment = (folder: string) => ({
  temporal: { address: '127.0.0.1:1' },
  trust: { file: join(folder, 'trust.json') },
  releaseStore: { kind: 'folder' as const, path: join(folder, 'release') },
});
