import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../contracts/errors.ts';
import { buildDigest } from '../../worker/source-digest.ts';
import { workflowBuildId, workflowBundle } from '../../worker/workflow-bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PUBLICATION = join(ROOT, 'test/generation-1/publication/small/2026-03-02/v1');
const execute = promisify(execFile);

let folder: string;
let installed: string;

/**
 * `npm pack`, and the tarball in an empty folder as an installation lays it out. The packages that it depends on are
 * those of this checkout: no registry is asked. The package is made read-only.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-package-'));
  const npm = join(dirname(process.execPath), 'npm');
  // Without a lock of its own another build that runs meanwhile would write the same folder.
  const copy = join(folder, 'checkout');
  const left = ['node_modules', '.git', '.opaline', 'dist', 'docs', 'test', 'bench'];
  for (const name of await readdir(ROOT))
    if (!left.includes(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await execute(process.execPath, [join(copy, 'cli', 'write-package.ts')], { cwd: copy });
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: copy,
    env: { ...process.env, PATH: `${dirname(npm)}:${process.env.PATH}` },
  });
  const [{ filename }] = JSON.parse(packed.stdout);
  installed = join(folder, 'node_modules', 'opaline');
  await mkdir(installed, { recursive: true });
  await execute('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components', '1']);
  await symlink(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  await chmod(join(installed, 'dist'), 0o555);
});
afterAll(async () => {
  await chmod(join(installed, 'dist'), 0o755);
  await rm(folder, { recursive: true, force: true });
});

/** Runs the installed command in an empty folder, by its launcher. */
const opaline = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const { npm_lifecycle_event: _, npm_command: __, ...env } = process.env;
    const options = { cwd: join(folder, 'node_modules'), env };
    execFile(process.execPath, [join(installed, 'bin', 'opaline.mjs'), ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('--version says the version and nothing else', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await opaline('--version')).toEqual({ code: EXIT.done, stdout: `${version}\n`, stderr: '' });
});

test('verify checks a publication from any folder, as in a checkout', async () => {
  const { code, stdout } = await opaline('verify', PUBLICATION, '--json');
  expect(code).toBe(EXIT.waiting);
  expect(JSON.parse(stdout)).toMatchObject({ verified: true, tiedTo: 'nobody' });
});

test('the build and the workflows are those of the sources that it was packed from', async () => {
  const { sources } = JSON.parse(await readFile(join(installed, 'dist', 'build.json'), 'utf8'));
  expect(sources).toBe(await buildDigest());
  const packed = await workflowBuildId(join(installed, 'dist', 'workflows.bundle.js'));
  expect(packed).toBe(await workflowBuildId(await workflowBundle()));
});

test('commands are named by the name that is installed, and complete in bash', async () => {
  const { stderr } = await opaline('show', 'nonsense');
  expect(stderr).toContain('as `opaline status` does');
  const { stdout: script } = await opaline('completion', 'bash');
  const ask = `${script}\nCOMP_WORDS=(opaline ledger v); COMP_CWORD=2; _opaline; echo "\${COMPREPLY[@]}"`;
  expect((await execute('bash', ['-c', ask])).stdout).toBe('verify\n');
});

test('what only tests use is not packed', async () => {
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((name) => /\.(test|fixture|bench)\.|(^|\/)test\//.test(name))).toEqual([]);
});
