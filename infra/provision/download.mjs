import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** The largest download is about 60 MB; where there is no way out, the attempt should not hold up the rest for long. */
const TIMEOUT = 120_000;

/** Downloads a .tar.gz archive and unpacks it into a folder if its SHA-256 is the one given. Throws SetupError. */
export async function downloadArchive(url, sha256, folder) {
  const bytes = await bytesOf(url);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new SetupError(`${url} has the SHA-256 ${found}, which is not the one of this version`);
  const archive = join(folder, 'archive.tar.gz');
  await writeFile(archive, bytes);
  const { code, output } = await runProgram('tar', ['-xzf', archive, '-C', folder]);
  if (code !== 0) throw new SetupError(`${url} could not be unpacked: ${output}`);
  await rm(archive);
}

async function bytesOf(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) throw new Error(`the answer is ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new SetupError(`${url} could not be downloaded: ${error.message}`);
  }
}
