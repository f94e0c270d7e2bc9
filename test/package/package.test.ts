import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../contracts/errors.ts';
import { buildDigest } from '../../worker/source-digest.ts';
import { workflowBuildId, workflowBundle } from '../../worker/workflow-bundle.ts';
import { copiedCheckout, type Ended, packed, ROOT, runProgram } from './packed.fixture.ts';

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
  const copy = await copiedCheckout(folder);
  const tarball = await packed(copy, 'package', folder);
  installed = join(folder, 'node_modules', 'opaline');
  await mkdir(installed, { recursive: true });
  await execute('tar', ['xzf', tarball, '-C', installed, '--strip-components', '1']);
  await symlink(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  await execute('chmod', ['-R', 'a-w', installed]);
});
afterAll(async () => {
  await execute('chmod', ['-R', 'u+w', installed]);
  await rm(folder, { recursive: true, force: true });
});

/** Runs the installed command in an empty folder, by its launcher. */
const opaline = (...args: string[]): Promise<Ended> =>
  runProgram(process.execPath, [join(installed, 'bin', 'opaline.mjs'), ...args], { cwd: join(folder, 'node_modules') });

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

test('it tells what it is made of: every package of the lock file that is not for development alone', async () => {
  const bill = JSON.parse(await readFile(join(installed, 'sbom.cdx.json'), 'utf8'));
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  const fixed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'opaline', version } } });
  const named: string[] = bill.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
  expect(new Set(named)).toEqual(new Set(fixed));
  expect(named).not.toContainEqual(expect.stringMatching(/^vitest@/));
});
