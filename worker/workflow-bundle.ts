import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { BUILD_ID_LENGTH } from '../contracts/names.ts';
import { BUNDLE_FILE, IS_COMPILED, packageFile } from '../services/own-module.ts';
import { sourceDigest } from './source-digest.ts';

/** Where build tools of this ecosystem keep what they made; an image that is built ahead has it filled. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/opaline', import.meta.url));

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const PAYLOAD_CONVERTER = fileURLToPath(new URL('../workflows/payload-converter.ts', import.meta.url));

/** The check of signatures holds no state: one copy of it serves all workflows of a worker, and none pays for its own. */
const SHARED = ['@noble/curves/ed25519.js'];

/**
 * Path of the bundled workflow code, made once per state of the sources: bundling takes seconds, reading none. Two
 * workers that start at once may both bundle; the rename makes either result whole.
 */
export async function workflowBundle(): Promise<string> {
  if (IS_COMPILED) return packageFile(BUNDLE_FILE);
  const path = join(
    CACHE,
    `workflows-${sourceDigest(['contracts/**/*.ts', 'workflows/**/*.ts', 'worker/workflow-bundle.ts'])}.js`,
  );
  if (await stat(path).catch(() => null)) return path;
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    payloadConverterPath: PAYLOAD_CONVERTER,
    preloadModules: SHARED,
    logger: silent,
    // Modules are named from the checkout and not from where the process was started.
    webpackConfigHook: (config) => ({ ...config, context: ROOT }),
  });
  await mkdir(CACHE, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  return path;
}

/**
 * Names the build of a workflow bundle: SHA-256 over its program. The source map after it is left out, because it holds
 * paths of the machine that bundled; equal sources have one id wherever they are.
 */
export async function workflowBuildId(bundlePath: string): Promise<string> {
  const code = await readFile(bundlePath, 'utf8');
  const program = code.slice(0, code.lastIndexOf('//# sourceMappingURL='));
  return createHash('sha256').update(program).digest('hex').slice(0, BUILD_ID_LENGTH);
}
