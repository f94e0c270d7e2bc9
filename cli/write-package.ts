import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { BUILD_FILE, BUNDLE_FILE } from '../services/own-module.ts';
import { buildDigest } from '../worker/source-digest.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { compile, only, ROOT, readManifest, writeJson, writeSbom } from './write-compiled.ts';

/**
 * Makes the folder of the package `opaline`: the compiled sources, and what a checkout computes when it starts, so that
 * an installation that is read-only has the same workflows and names the same build. Its lock file is that of the
 * checkout: whoever installs it gets the packages that were tested, and no others.
 */
const FOLDER = `${ROOT}dist-package`;
const DIST = `${FOLDER}/dist`;

const FIELDS = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines', 'dependencies'];

/** A lock file without what is for development alone. */
function lockOfUsers({ packages, ...lock }: Record<string, unknown>, manifest: object): object {
  const all = Object.entries(packages as Record<string, { dev?: boolean }>);
  const entries = all.filter(([path, { dev }]) => path !== '' && !dev);
  return { ...lock, packages: { '': manifest, ...Object.fromEntries(entries) } };
}

await rm(FOLDER, { recursive: true, force: true });
await compile(DIST);
const isPlain = (path: string): boolean => !/\.ts$|\.test\./.test(path) || /\.d\.mts$/.test(path);
await mkdir(`${DIST}/infra`, { recursive: true });
await cp(`${ROOT}infra/provision`, `${DIST}/infra/provision`, { recursive: true, filter: isPlain });
await cp(`${ROOT}examples`, `${DIST}/examples`, { recursive: true, filter: isPlain });
await copyFile(await workflowBundle(), `${DIST}/${BUNDLE_FILE}`);
await writeFile(`${DIST}/${BUILD_FILE}`, `${JSON.stringify({ sources: buildDigest() })}\n`);
await mkdir(`${FOLDER}/docs`);
for (const name of await readdir(`${ROOT}docs`))
  if (name.endsWith('.md')) await copyFile(`${ROOT}docs/${name}`, `${FOLDER}/docs/${name}`);
for (const name of ['bin/opaline.mjs', 'LICENSE', 'README.md', 'SECURITY.md', 'docs/pictures/way-of-the-data.svg'])
  await cp(`${ROOT}${name}`, `${FOLDER}/${name}`);
const manifest = only(await readManifest(ROOT), [...FIELDS, 'optionalDependencies']);
await writeJson(`${FOLDER}/package.json`, {
  ...manifest,
  files: ['bin', 'dist', 'docs', 'SECURITY.md', 'sbom.cdx.json'],
});
const lock = JSON.parse(await readFile(`${ROOT}package-lock.json`, 'utf8'));
await writeJson(`${FOLDER}/npm-shrinkwrap.json`, lockOfUsers(lock, manifest));
await writeSbom(FOLDER, '--package-lock-only');
