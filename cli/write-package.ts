import { spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUILD_FILE, BUNDLE_FILE } from '../worker/own-module.ts';
import { buildDigest } from '../worker/source-digest.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';

/**
 * Makes what `npm pack` packs: the compiled sources in `dist`, and what a checkout computes when it starts, so that an
 * installation that is read-only has the same workflows and names the same build.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;

await rm(DIST, { recursive: true, force: true });
const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
});
if (status !== 0) process.exit(1);
const isPlain = (path: string): boolean => !/\.ts$|\.test\./.test(path) || /\.d\.mts$/.test(path);
await mkdir(`${DIST}/infra`, { recursive: true });
await cp(`${ROOT}infra/provision`, `${DIST}/infra/provision`, { recursive: true, filter: isPlain });
await cp(`${ROOT}examples`, `${DIST}/examples`, { recursive: true, filter: isPlain });
await copyFile(await workflowBundle(), `${DIST}/${BUNDLE_FILE}`);
await writeFile(`${DIST}/${BUILD_FILE}`, `${JSON.stringify({ sources: await buildDigest() })}\n`);
