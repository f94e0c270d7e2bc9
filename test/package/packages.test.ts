import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilUp } from '../../cli/process.fixture.ts';
import { attest, decide, edit, publish, sealManifest, sealSums } from '../../client/verify/forgery.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { buildDigest } from '../../worker/source-digest.ts';
import { workflowBuildId, workflowBundle } from '../../worker/workflow-bundle.ts';
import { serveFolder } from '../support/file-server.ts';
import { newFolder } from '../support/new-folder.ts';
import { publishedKind, RELEASED_KINDS } from '../support/published-kinds.ts';
import { ada, rootKey, trustFile, trustVersion } from '../support/trust-files.ts';
import { publishedSeries } from '../validators/published-series.fixture.ts';
import { copiedCheckout, type Ended, npmEnvironment, packed, ROOT, runProgram } from './package.fixture.ts';

const folder = newFolder();
/** Of `opaline` and of `opaline-verify`. */
let tarballs: readonly string[];
let installed: string;
let up: ChildProcessByStdio<null, null, Readable> | null = null;

/**
 * Both packages in an empty folder. With OPALINE_INSTALL=registry npm installs them with all that they need, as it does
 * for people (half a gigabyte); else they are beside the packages of this checkout, which are those of the lock file.
 */
beforeAll(async () => {
  const copy = await copiedCheckout(folder);
  tarballs = [await packed(copy, 'package', folder), await packed(copy, 'verifier', folder)];
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
    const { code, stdout } = await opaline('verify', await publish(), '--json');
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
    expect(sources).toBe(buildDigest());
    const packed = await workflowBuildId(join(installed, 'opaline', 'dist', 'workflows.bundle.js'));
    expect(packed).toBe(await workflowBuildId(await workflowBundle()));
  });

  test('commands are named by the name that is installed, and complete in bash', async () => {
    const { stderr } = await opaline('show', 'nonsense');
    expect(stderr).toContain('as `opaline status` does');
    const { stdout: script } = await opaline('completion', 'bash');
    const ask = `${script}\nCOMP_WORDS=(opaline ledger v); COMP_CWORD=2; _opaline; echo "\${COMPREPLY[@]}"`;
    expect((await runProgram('bash', ['-c', ask])).stdout).toBe('verify\n');
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
 * The way of somebody who has nothing but the two packages and data: each command was printed before or is in the
 * README, and is pasted into a shell as it is.
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

const OLDER_NODE = fileURLToPath(new URL('older-node.child.ts', import.meta.url));
const MOST_BYTES = 5_000_000;

let second: { series: string; newest: string };
let trust: string;

/** Of the verifier alone: beside the other package it would find what that one brings. */
const empty = newFolder();

/** Without a registry: the package brings all that it needs. */
beforeAll(async () => {
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), tarballs[1]!];
  const installed = await runProgram('npm', npm, { cwd: empty, env: npmEnvironment() });
  expect(installed).toMatchObject({ code: 0 });
  const published = await publishedSeries();
  second = { series: published.folder, newest: published.newest };
  trust = join(folder, 'trust.json');
  await writeFile(trust, trustFile(signDocument(trustVersion(), rootKey.privateKey)));
});

/** The installed command, in an empty folder, by a Node that has no more than Node 20. */
const verify = (...args: string[]): Promise<Ended> => {
  const program = join(empty, 'node_modules', 'opaline-verify', 'bin', 'opaline-verify.mjs');
  return runProgram(process.execPath, ['--import', OLDER_NODE, program, ...args], { cwd: empty });
};

/** The checks that failed, and how it ended. */
async function failing(...args: string[]): Promise<{ code: number; failed: string[] }> {
  const { code, stdout } = await verify(...args, '--json');
  const { checks } = JSON.parse(stdout) as { checks: { id: string; ok: boolean; sentence: string }[] };
  return { code, failed: checks.filter(({ ok }) => !ok).map(({ id, sentence }) => `${id}: ${sentence}`) };
}

describe('a folder, by opaline-verify', () => {
  test('a publication verifies, and so does a series', async () => {
    expect(await failing(second.newest)).toEqual({ code: EXIT.waiting, failed: [] });
    expect(await failing(second.newest, '--trust', trust)).toEqual({ code: EXIT.done, failed: [] });
    const series = await verify(second.series, '--trust', trust, '--seen', join(second.series, 'head.json'));
    // The pages say when more is due; that day is over.
    expect(series.stdout).toContain('✓ head-seen');
    expect(series.stdout).toContain('✓ pages');
    expect(series.stdout.match(/✗/g)).toHaveLength(1);
  });

  test('one that was tampered with is named', async () => {
    const broken = join(folder, 'broken');
    await cp(second.newest, broken, { recursive: true });
    const path = join(broken, 'time.csv');
    await writeFile(path, (await readFile(path, 'utf8')).replace(/\d\r\n/, '9999\r\n'));
    const { code, failed } = await failing(broken, '--trust', trust);
    expect(code).toBe(EXIT.verificationFailed);
    expect(failed).toContain('checksums: The checksum of time.csv is not the listed one.');
  });
});

/** What somebody without a key can do to a file, with checksums that fit it again. */
const CHANGES: readonly ((bytes: Buffer) => Buffer)[] = [
  (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
  (bytes) => Buffer.concat([bytes, Buffer.from(' ')]),
  (bytes) => Buffer.from(bytes.toString('latin1').replace(/^\{("[^"]+":)/, '{$1"mine",$1'), 'latin1'),
];
/** Each run of the installed command is a process: each kind has this number of its files changed. */
const FILES_OF_KIND = 8;

const isVerified = async (kind: (typeof RELEASED_KINDS)[number]) => {
  const made = await publishedKind(kind);
  await made.publish(1);
  const honest = join(made.folder, '2026-03-02', 'v1');
  expect(await failing(honest, '--trust', trust)).toEqual({ code: EXIT.done, failed: [] });
  const { stdout } = await verify(honest, '--trust', trust);
  expect(stdout.includes('for want of a library that draws: audit.html.')).toBe(kind === 'taps');
  const worded = join(folder, kind, 'worded');
  await cp(honest, worded, { recursive: true });
  await edit(worded, 'README.md', (text) => text.replace('Read this first', 'Read this last'));
  await sealManifest(worded);
  await attest(worded, [ada], [await decide(worded, ada, { required: 1 })]);
  const named = 'texts: Not what follows from the data and the audits: README.md.';
  expect(await failing(worded)).toEqual({ code: EXIT.verificationFailed, failed: [named] });
  const names = (await readdir(honest)).filter((name) => name !== 'SHA256SUMS').sort();
  const step = Math.ceil(names.length / FILES_OF_KIND);
  for (const [place, name] of names.filter((_, at) => at % step === 0).entries()) {
    const broken = join(folder, kind, name);
    await cp(honest, broken, { recursive: true });
    const bytes = await readFile(join(broken, name));
    const changed = CHANGES[place % CHANGES.length]!(bytes);
    await writeFile(join(broken, name), changed.equals(bytes) ? CHANGES[0]!(bytes) : changed);
    await sealSums(broken);
    const { code, failed } = await failing(broken, '--trust', trust);
    expect([name, code, failed.length > 0]).toEqual([name, EXIT.verificationFailed, true]);
  }
};
const [FIRST_KIND, ...OTHER_KINDS] = RELEASED_KINDS;
test(`${FIRST_KIND}: a publication verifies, and none with a changed file does`, () => isVerified(FIRST_KIND!));
test.each(OTHER_KINDS)('%s: a publication verifies, and none with a changed file does', { tags: 'soak' }, isVerified);

test('an address is read by opaline-verify as a folder is, and what is wrong with it is named', async () => {
  const server = await serveFolder(join(second.series, '..'));
  const path = second.newest.slice(join(second.series, '..').length);
  try {
    expect(await failing(`${server.address}${path}`, '--trust', trust)).toEqual({ code: EXIT.done, failed: [] });
    const series = await verify(`${server.address}/demo`, '--trust', trust);
    expect(series.stdout).toContain('✓ head-releases: All 3 releases');
    expect(series.stdout).toContain('✓ pages');
    const nowhere = await verify(`${server.address}/demo/2026-03-02/v9`);
    expect(nowhere).toEqual({
      code: EXIT.badInput,
      stdout: '',
      stderr: expect.stringMatching(/^USAGE: There is no SHA256SUMS/),
    });
  } finally {
    server.close();
  }
});

test('--version and --help of opaline-verify say what they say of the package, and a mistake is one sentence', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await verify('--version')).toEqual({ code: EXIT.done, stdout: `${version}\n`, stderr: '' });
  expect((await verify('--help')).stdout).toContain('Usage: opaline-verify [options] <place>');
  expect(await verify('nowhere')).toEqual({
    code: EXIT.badInput,
    stdout: '',
    stderr: 'USAGE: The folder cannot be read; name the folder of one publication.\n',
  });
});

test('opaline-verify is small, has no native code, asks for none, and tells what it is made of', async () => {
  const root = join(empty, 'node_modules', 'opaline-verify');
  const names = await readdir(root, { recursive: true });
  const files = [];
  for (const name of names) if ((await stat(join(root, name))).isFile()) files.push(name);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(root, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  expect(files.filter((name) => /\.(node|wasm|so|dll|dylib|ts)$/.test(name))).toEqual([]);
  const asked = new Set<string>();
  for (const name of files.filter((one) => /^(lib|bin)\/.*\.m?js$/.test(one)))
    for (const [, spec] of (await readFile(join(root, name), 'utf8')).matchAll(
      /(?:from|import\(?)\s*'([^'.\s][^'\s]*)'/g,
    ))
      asked.add(spec!);
  const packages = [...asked].filter((spec) => !spec.startsWith('node:')).sort();
  expect(packages).toEqual([
    ...['commander', 'fzstd', 'gtfs-realtime-bindings', 'hyparquet'],
    ...['column', 'datapage', 'plain', 'thrift'].map((name) => `hyparquet/src/${name}.js`),
    // The libraries that draw are asked for, and not brought: without them a page with figures is not compared.
    ...['temporal-polyfill', 'vega', 'vega-lite', 'zod'],
  ]);
  const bill = JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8'));
  const bundled = (await readdir(join(root, 'node_modules'))).filter((name) => !name.startsWith('.'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'opaline-verify' } } });
  expect(bill.components.map(({ name }: { name: string }) => name).sort()).toEqual(bundled.sort());
  for (const name of bundled) {
    const brought = await readdir(join(root, 'node_modules', name));
    expect(brought).toContainEqual(expect.stringMatching(/^(licen[cs]e|readme)/i));
  }
});
