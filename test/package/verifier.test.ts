import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { attest, decided, edit, sealManifest, sealSums } from '../../client/verify/forgery.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { serveFolder } from '../support/file-server.ts';
import { newFolder } from '../support/new-folder.ts';
import { publishedKind, RELEASED_KINDS } from '../support/published-kinds.ts';
import { ada, rootKey, trustFile, trustVersion } from '../support/trust-files.ts';
import { publishedSeries } from '../validators/published-series.fixture.ts';
import { copiedCheckout, type Ended, npmEnvironment, packed, ROOT, runProgram } from './packed.fixture.ts';

const OLDER_NODE = fileURLToPath(new URL('older-node.child.ts', import.meta.url));
const MOST_BYTES = 5_000_000;

const folder = newFolder();
let second: { series: string; newest: string };
let trust: string;

/** Packed, and installed in an empty folder without a registry: the package brings all that it needs. */
beforeAll(async () => {
  const copy = await copiedCheckout(folder);
  const tarball = await packed(copy, 'verifier', folder);
  await mkdir(join(folder, 'empty'));
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), tarball];
  const installed = await runProgram('npm', npm, { cwd: join(folder, 'empty'), env: npmEnvironment() });
  expect(installed).toMatchObject({ code: 0 });
  const published = await publishedSeries();
  second = { series: published.folder, newest: published.newest };
  trust = join(folder, 'trust.json');
  await writeFile(trust, trustFile(signDocument(trustVersion(), rootKey.privateKey)));
});

/** The installed command, in an empty folder, by a Node that has no more than Node 20. */
const verify = (...args: string[]): Promise<Ended> => {
  const program = join(folder, 'empty', 'node_modules', 'opaline-verify', 'bin', 'opaline-verify.mjs');
  return runProgram(process.execPath, ['--import', OLDER_NODE, program, ...args], { cwd: join(folder, 'empty') });
};

/** The checks that failed, and how it ended. */
async function failing(...args: string[]): Promise<{ code: number; failed: string[] }> {
  const { code, stdout } = await verify(...args, '--json');
  const { checks } = JSON.parse(stdout) as { checks: { id: string; ok: boolean; sentence: string }[] };
  return { code, failed: checks.filter(({ ok }) => !ok).map(({ id, sentence }) => `${id}: ${sentence}`) };
}

describe('a folder', () => {
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
/** Each run of the installed command is a process: each kind has so many of its files changed. */
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
  await attest(worded, [ada], [await decided(worded, ada, { required: 1 })]);
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

test('an address is read as a folder is, and what is wrong with it is named', async () => {
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

test('--version and --help say what they say of the package, and a mistake is one sentence', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await verify('--version')).toEqual({ code: EXIT.done, stdout: `${version}\n`, stderr: '' });
  expect((await verify('--help')).stdout).toContain('Usage: opaline-verify [options] <place>');
  expect(await verify('nowhere')).toEqual({
    code: EXIT.badInput,
    stdout: '',
    stderr: 'USAGE: The folder cannot be read; name the folder of one publication.\n',
  });
});

test('it is small, has no native code, asks for none, and tells what it is made of', async () => {
  const root = join(folder, 'empty', 'node_modules', 'opaline-verify');
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
    ...['commander', 'fzstd', 'gtfs-realtime-bindings', 'hyparquet', 'hyparquet/src/thrift.js'],
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
