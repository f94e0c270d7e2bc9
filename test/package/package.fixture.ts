import { type ExecFileOptions, execFile } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

/** How a program ended; `code` is -1 when a signal ended it. */
export type Ended = { code: number; stdout: string; stderr: string };

/** Runs a program as a person does who is in no checkout: nothing says that npm, or a test, has started it. */
export const runProgram = (program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const own = Object.entries(process.env).filter(([name]) => !/^npm_|^OPALINE_DEPLOYMENT|^NODE_/i.test(name));
    const env = { ...Object.fromEntries(own), ...options.env };
    execFile(program, [...args], { ...options, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout: String(stdout), stderr: String(stderr) });
    });
  });

/** The environment in which npm is that of the Node that runs the tests, and says nothing. */
export const npmEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  npm_config_loglevel: 'error',
  npm_config_update_notifier: 'false',
});

/**
 * A copy of what packages are made of: without a lock of its own, another build that runs meanwhile would write the same
 * folder.
 */
export async function copiedCheckout(folder: string): Promise<string> {
  const copy = join(folder, 'checkout');
  const left = ['node_modules', '.git', '.opaline', 'dist-package', 'dist-verifier', 'test', 'bench'];
  for (const name of await readdir(ROOT))
    if (!left.includes(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Makes a package in the copy and packs it; the path of the tarball. */
export async function packed(copy: string, name: 'package' | 'verifier', into: string): Promise<string> {
  await execute(process.execPath, [join(copy, 'cli', `write-${name}.ts`)], { cwd: copy, env: npmEnvironment() });
  const npm = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
  const { stdout } = await execute('npm', npm, { cwd: join(copy, `dist-${name}`), env: npmEnvironment() });
  return join(into, JSON.parse(stdout)[0].filename);
}
