import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { sourceDigest } from './source-digest.ts';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/**
 * Path of the bundled workflow code, made once per state of the sources: bundling takes seconds, reading none. Two
 * workers that start at once may both bundle; the rename makes either result whole.
 */
export async function workflowBundle(cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `workflows-${await sourceDigest(['contracts', 'workflows'])}.js`);
  if (await stat(path).catch(() => null)) return path;
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: silent });
  await mkdir(cacheFolder, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  return path;
}
