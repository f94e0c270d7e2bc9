import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { BUILD_FILE, BUNDLE_FILE } from '../worker/own-module.ts';
import { buildDigest } from '../worker/source-digest.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { compile, ROOT } from './write-compiled.ts';
import { writeSbom } from './write-sbom.ts';

/**
 * Makes what `npm pack` packs: the compiled sources in `dist`, and what a checkout computes when it starts, so that an
 * installation that is read-only has the same workflows and names the same build.
 */
const DIST = `${ROOT}dist`;

await compile(DIST);
const isPlain = (path: string): boolean => !/\.ts$|\.test\./.test(path) || /\.d\.mts$/.test(path);
await mkdir(`${DIST}/infra`, { recursive: true });
await cp(`${ROOT}infra/provision`, `${DIST}/infra/provision`, { recursive: true, filter: isPlain });
await cp(`${ROOT}examples`, `${DIST}/examples`, { recursive: true, filter: isPlain });
await copyFile(await workflowBundle(), `${DIST}/${BUNDLE_FILE}`);
await writeFile(`${DIST}/${BUILD_FILE}`, `${JSON.stringify({ sources: await buildDigest() })}\n`);
await writeSbom(ROOT, DIST, ['--package-lock-only']);
