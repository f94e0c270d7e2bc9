import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { sourceDigest } from './source-digest.ts';

/** Where build tools of this ecosystem keep what they made; an image that is built ahead has it filled. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/opaline', import.meta.url));

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/**
 * Path of the bundled workflow code, made once per state of the sources: bundling takes seconds, reading none. Two
 * workers that start at once may both bundle; the rename makes either result whole.
 */
export async function workflowBundle(): Promise<string> {
  const path = join(CACHE, `workflows-${await sourceDigest(['contracts', 'workflows'])}.js`);
  if (await stat(path).catch(() => null)) return path;
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: silent });
  await mkdir(CACHE, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  return path;
}
