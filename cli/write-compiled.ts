import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
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

export const jsonOfFile = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8'));

/** The fields of a manifest that are named, in this order. */
export const only = (manifest: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => field in manifest).map((field) => [field, manifest[field]]));
