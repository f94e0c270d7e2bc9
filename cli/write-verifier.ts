import { chmod, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, only, ROOT, readManifest, run, writeJson, writeSbom } from './write-compiled.ts';

/**
 * Makes the folder of the package `opaline-verify`: the modules that the verifier loads, of ours as they are compiled and
 * of others as they are, and no file more. So it has no native code, needs nothing from a registry, and is small.
 */
const FOLDER = `${ROOT}dist-verifier`;
const COMPILED = `${FOLDER}/compiled`;
const MODULES = '/node_modules/';
/** Some packages say their licence in the README alone. */
const LICENCES = /^(licen[cs]e|notice|copying|readme)/i;

/** Fields of a manifest that a reader of its modules, or of its licence, needs. */
const FIELDS = ['name', 'version', 'license', 'author', 'homepage', 'repository', 'type', 'main', 'module', 'exports'];

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** The files that the verifier loads. */
async function listModules(): Promise<string[]> {
  const list = join(FOLDER, 'modules.txt');
  run(process.execPath, ['--import', './infra/record-modules.mjs', `${COMPILED}/cli/verify-main.js`, '--help'], {
    env: { ...process.env, OPALINE_MODULES: list },
  });
  const addresses = (await readFile(list, 'utf8')).split('\n');
  await rm(list);
  return addresses.map((address) => fileURLToPath(address));
}

/** `@scope/name` or `name` of a path below node_modules. */
const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0];

/** Copies a package of others without what is not loaded of it, and without what it asks npm for besides. */
async function copyPackage(
  name: string,
  from: string,
  paths: readonly string[],
  all: ReadonlySet<string>,
): Promise<string> {
  const manifest = await readManifest(join(from, name));
  const to = join(FOLDER, 'node_modules');
  const licences = (await readdir(join(from, name))).filter((file) => LICENCES.test(file));
  for (const path of [...paths, ...licences.map((file) => join(name, file))])
    await copy(join(from, path), join(to, path));
  const entries = Object.entries(manifest.dependencies ?? {}).filter(([dependency]) => all.has(dependency));
  const extract = { ...only(manifest, FIELDS), dependencies: Object.fromEntries(entries) };
  await writeJson(join(to, name, 'package.json'), extract);
  return manifest.version;
}

await rm(FOLDER, { recursive: true, force: true });
await compile(COMPILED);
const own = await readManifest(ROOT);
await writeJson(`${FOLDER}/package.json`, only(own, ['version', 'type']));
const files = await listModules();
for (const file of files.filter((path) => path.startsWith(`${COMPILED}/`)))
  await copy(file, join(FOLDER, 'lib', relative(COMPILED, file)));
await rm(COMPILED, { recursive: true });

const others = files.filter((path) => path.includes(MODULES));
const from = others[0]!.slice(0, others[0]!.indexOf(MODULES) + MODULES.length);
const packages = Map.groupBy(
  others.map((path) => path.slice(from.length)),
  packageOf,
);
const names = new Set(packages.keys());
const versions: Record<string, string> = {};
for (const name of [...names].sort()) versions[name] = await copyPackage(name, from, packages.get(name)!, names);

const needs = Object.keys(own.dependencies ?? {}).filter((name) => names.has(name));
await writeJson(`${FOLDER}/package.json`, {
  name: 'opaline-verify',
  ...only(own, ['version', 'license']),
  description: 'Checks differentially private publications of Opaline, offline or by their address.',
  type: 'module',
  bin: { 'opaline-verify': 'bin/opaline-verify.mjs' },
  files: ['bin', 'lib', 'sbom.cdx.json', 'SECURITY.md'],
  engines: { node: '>=20' },
  dependencies: Object.fromEntries(needs.map((name) => [name, versions[name]])),
  bundleDependencies: Object.keys(versions),
});
await copy(`${ROOT}bin/opaline-verify.mjs`, `${FOLDER}/bin/opaline-verify.mjs`);
await chmod(`${FOLDER}/bin/opaline-verify.mjs`, 0o755);
for (const name of ['LICENSE', 'SECURITY.md']) await copy(`${ROOT}${name}`, `${FOLDER}/${name}`);
await copy(`${ROOT}docs/verifier.md`, `${FOLDER}/README.md`);
await writeSbom(FOLDER);
