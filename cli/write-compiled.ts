import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout, with `/` at its end. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Compiles the sources into a folder, which is made anew. Their types are for `npm run check`, and take three times as
 * long as all the rest. Ends the process when the compiler cannot read them.
 */
export async function compile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
  run(process.execPath, [compiler, '-p', 'tsconfig.package.json', '--noCheck', '--outDir', folder]);
}

/** Runs a program in the checkout; its standard output. Ends the process when the program fails. */
export function run(
  program: string,
  args: readonly string[],
  more: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...more,
  });
  if (status === 0) return stdout;
  process.stderr.write(stdout ?? '');
  process.exit(1);
}

/** What is read of the manifest of a package; it holds more. */
export type PackageManifest = Record<string, unknown> & { version: string; dependencies?: Record<string, string> };

export const readManifest = async (folder: string): Promise<PackageManifest> =>
  JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));

export const writeJson = (path: string, value: object): Promise<void> =>
  writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

/** The fields of a manifest that are named, in this order. */
export const only = (manifest: PackageManifest, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => field in manifest).map((field) => [field, manifest[field]]));

/**
 * Writes the software bill of materials of the package in a folder beside it, as CycloneDX: what npm finds there.
 * It has no time and no serial number, so that equal packages are equal to the byte.
 */
export async function writeSbom(folder: string, ...options: string[]): Promise<void> {
  const npm = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...options];
  // What the npm that runs this says of itself would be taken for options.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/i.test(name));
  const {
    serialNumber: _,
    metadata,
    ...bill
  } = JSON.parse(run('npm', npm, { cwd: folder, env: Object.fromEntries(own) }));
  // npm calls a package that is not installed by the name of its folder.
  const { name } = await readManifest(folder);
  await writeJson(`${folder}/sbom.cdx.json`, { ...bill, metadata: { component: { ...metadata.component, name } } });
}
