import { createHash } from 'node:crypto';
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { BUILD_FILE, IS_COMPILED, packageFile } from '../services/own-module.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * SHA-256 over the sources that the patterns name and the lock file of the dependencies: names the build that ran, since
 * there is no build step. Tests and what only they use (`*.fixture.ts`) are no part of it. Every process computes it at
 * its start: read at once, a thousand small files take a fifth of the time.
 */
export function sourceDigest(patterns: readonly string[]): string {
  const sources = globSync([...patterns], { cwd: ROOT }).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...sources].sort()) {
    const bytes = readFileSync(`${ROOT}/${file}`);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** The rooms that the two workers run. */
export const WORKER_ROOMS = [
  'contracts',
  'core',
  'counts',
  'foreign-audit',
  'services',
  'custodian',
  'kinds',
  'activities',
  'worker',
  'workflows',
];

let own: string | null = null;

/**
 * Digest of what the two workers run, named in the manifest and in receipts (C15): a package has that of its sources. It
 * is that of the first call, which a process makes at its start.
 */
export function buildDigest(): string {
  own ??= IS_COMPILED
    ? (JSON.parse(readFileSync(packageFile(BUILD_FILE), 'utf8')) as { sources: string }).sources
    : sourceDigest(WORKER_ROOMS.map((room) => `${room}/**/*.ts`));
  return own;
}

/** On Linux the file that this process was started from, even when an installation has put another in its place. */
const RUNNING = process.platform === 'linux' ? '/proc/self/exe' : process.execPath;

/**
 * SHA-256 of the Node binary that runs this process, in hexadecimal. It draws the noise, and on a system for which
 * package-lock.json fixes none (docs/dependencies.md) it is the one that the machine has.
 */
export async function runtimeDigest(): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(RUNNING), hash);
  return hash.digest('hex');
}
