import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

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
