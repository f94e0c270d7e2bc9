import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilUp } from '../../cli/process.fixture.ts';
import { published } from '../../client/verify/forgery.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { buildDigest } from '../../worker/source-digest.ts';
import { workflowBuildId, workflowBundle } from '../../worker/workflow-bundle.ts';
import { newFolder } from '../support/new-folder.ts';
import { copiedCheckout, type Ended, npmEnvironment, packed, ROOT, runProgram } from './packed.fixture.ts';

const folder = newFolder();
let installed: string;
let up: ChildProcessByStdio<null, null, Readable> | null = null;

/**
 * Both packages in an empty folder. With OPALINE_INSTALL=registry npm installs them with all that they need, as it does
 * for people (half a gigabyte); else they stand beside the packages of this checkout, which are those of the lock file.
 */
beforeAll(async () => {
  const copy = await copiedCheckout(folder);
  const tarballs = [await packed(copy, 'package', folder), await packed(copy, 'verifier', folder)];
  installed = join(folder, 'node_modules');
  if (process.env.OPALINE_INSTALL === 'registry') {
    const npm = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    const done = await runProgram('npm', [...npm, ...tarballs], { cwd: folder, env: npmEnvironment() });
    expect(done).toMatchObject({ code: 0 });
  } else {
    await mkdir(join(installed, '.bin'), { recursive: true });
    for (const [place, name] of ['opaline', 'opaline-verify'].entries()) {
      const own = join(installed, name);
      await mkdir(own);
      await runProgram('tar', ['xzf', tarballs[place]!, '-C', own, '--strip-components', '1']);
      if (name === 'opaline') await symlink(join(ROOT, 'node_modules'), join(own, 'node_modules'));
      await chmod(join(own, 'bin', `${name}.mjs`), 0o755);
      await symlink(join('..', name, 'bin', `${name}.mjs`), join(installed, '.bin', name));
    }
  }
  await runProgram('chmod', ['-R', 'a-w', join(installed, 'opaline', 'dist')]);
});
afterAll(async () => {
  up?.kill('SIGTERM');
  if (up) await once(up, 'close');
  await runProgram('chmod', ['-R', 'u+w', join(installed, 'opaline', 'dist')]);
});

/** Runs the installed command in an empty folder, by its launcher. */
const opaline = (...args: string[]): Promise<Ended> =>
  runProgram(process.execPath, [join(installed, 'opaline', 'bin', 'opaline.mjs'), ...args], { cwd: installed });

const environment = (): NodeJS.ProcessEnv => ({
  PATH: `${join(installed, '.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME,
});

describe('an installation', () => {
  test('--version says the version and nothing else', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(await opaline('--version')).toEqual({ code: EXIT.done, stdout: `${version}\n`, stderr: '' });
  });

  test('verify checks a publication from any folder, as in a checkout', async () => {
    const { code, stdout } = await opaline('verify', await published(), '--json');
    expect(code).toBe(EXIT.waiting);
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, tiedTo: 'nobody' });
  });

  test('runs the workers, which name what is wrong with their file and end with 2', async () => {
    for (const side of ['private', 'public']) {
      const { code, stdout } = await opaline('worker', side, 'nowhere.json');
      expect({ side, code }).toEqual({ side, code: EXIT.badInput });
      expect(JSON.parse(stdout)).toMatchObject({ side, code: 'CONFIGURATION_INVALID' });
    }
  });

  test('the build and the workflows are those of the sources that it was packed from', async () => {
    const { sources } = JSON.parse(await readFile(join(installed, 'opaline', 'dist', 'build.json'), 'utf8'));
    expect(sources).toBe(await buildDigest());
    const packed = await workflowBuildId(join(installed, 'opaline', 'dist', 'workflows.bundle.js'));
    expect(packed).toBe(await workflowBuildId(await workflowBundle()));
  });

  test('commands are named by the name that is installed', async () => {
    const { stderr } = await opaline('show', 'nonsense');
    expect(stderr).toContain('as `opaline status` does');
  });

  test('what only tests use is not packed', async () => {
    const files = await readdir(join(installed, 'opaline', 'dist'), { recursive: true });
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((name) => /\.(test|fixture|bench)\.|(^|\/)test\//.test(name))).toEqual([]);
  });

  test('it tells what it is made of: every package of the lock file that is not for development alone', async () => {
    const bill = JSON.parse(await readFile(join(installed, 'opaline', 'sbom.cdx.json'), 'utf8'));
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
});

/** Everything that was printed so far. */
let said = '';

/** A line as a person pastes it into a shell, in the project; it has to end as it is said. */
async function paste(line: string, code: number = EXIT.done): Promise<Ended> {
  const ended = await runProgram('bash', ['-c', line], { cwd: join(folder, 'my-taps'), env: environment() });
  said += `${ended.stdout}\n${ended.stderr}\n`;
  expect({ line, ...ended }).toMatchObject({ code });
  return ended;
}

/** The last command of these words that was printed, with what a person fills in: up to the remark beside it. */
function printed(words: string, filled: Readonly<Record<string, string>> = {}): string {
  const lines = [...said.matchAll(new RegExp(`(?<![\\w.-])${words}[^\`\\n]*`, 'g'))].map(([line]) => line);
  expect({ words, lines }).toMatchObject({ lines: expect.arrayContaining([expect.anything()]) });
  const command = lines.at(-1)!.split(/ {3,}/)[0]!;
  return Object.entries(filled)
    .reduce((line, [blank, text]) => line.replace(blank, text), command)
    .trim();
}

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08'];
const STOPS = 'stop_id,stop_name,location_type,parent_station\n0001,Bay,0,\n0002a,Quay A,0,0002\n0002,Quay,1,\n';

function trips(day: string): string {
  const rows = Array.from({ length: 120 }, (_, trip) => {
    const minute = String(trip % 15).padStart(2, '0');
    return `${day} 08:${minute}:30,0001,${day} 08:${Number(minute) + 30}:00,0002a`;
  });
  return ['start,from,end,to', ...rows, ''].join('\n');
}

/** The command that the README gives, of the folders of this test. */
async function initOfReadme(): Promise<string> {
  const [line] = /^opaline init .*$/m.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(line).toBeDefined();
  return line!;
}

/**
 * The way of somebody who has nothing but the two packages and data: each command is one that was printed before, or
 * stands in the README, and is pasted into a shell as it is.
 */
test('from two packages, a folder of CSV and a GTFS feed to a publication that opaline-verify checks', async () => {
  await mkdir(join(folder, 'data'));
  await mkdir(join(folder, 'work', 'feed'), { recursive: true });
  for (const day of DAYS) await writeFile(join(folder, 'data', `${day}.csv`), trips(day));
  await writeFile(join(folder, 'work', 'feed', 'stops.txt'), STOPS);
  await symlink('work/my-taps', join(folder, 'my-taps'));
  const init = (await initOfReadme()).replace('gtfs.zip', 'feed');
  const made = await runProgram('bash', ['-c', init], { cwd: join(folder, 'work'), env: environment() });
  expect(made).toMatchObject({ code: EXIT.done, stderr: '' });
  said += made.stdout;
  expect(made.stdout).toContain('It reads the files {date}.csv.');

  up = spawn('bash', ['-c', `exec ${printed('opaline up')}`], {
    cwd: join(folder, 'my-taps'),
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  said += await untilUp(up);
  expect(said).toContain('Opaline is up');

  const window = { 'YYYY-MM-DD': DAYS[0]! };
  expect((await paste(printed('opaline check'))).stdout).toContain('7 objects fit {date}.csv');
  expect((await paste(printed('opaline preview', window))).stdout).toContain('This one need not.');
  const run = printed('opaline run', window);
  expect((await paste(`${run} --dry-run`)).stdout).toContain('would make 7 partitions');
  expect((await paste(run, EXIT.waiting)).stdout).toContain('Verdict of the audit: pass.');
  const { stdout: page } = await paste(printed('opaline show \\S+ --open'));
  expect(await readFile(page.trim(), 'utf8')).toContain('What protects the people in it');
  const [, key] = /ben approves with --key (\S+)/.exec(said)!;
  await paste(printed('opaline approve', { 'KEY.pem': key!, '…': 'read the statement and the audit' }));
  const check = printed('opaline verify');
  expect((await paste(check)).stdout).toContain('Verified with demo keys');
  const { stdout: checked } = await paste(check.replace('opaline verify', 'opaline-verify'));
  expect(checked).toContain('Verified with demo keys');
  expect(checked).not.toContain('✗');
}, 240_000);
