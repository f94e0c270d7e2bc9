import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { updatePages } from '../../activities/public/update-pages.ts';
import type { HeadStatement } from '../../contracts/formats/head.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { headFile, readHead } from '../../services/series-pages/head-file.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { serveFolder } from '../../test/support/file-server.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { anotherRelease, testRelease, testSeries } from '../../test/support/test-release.ts';
import { ada, publisherKey, TEST_CHAIN, trustChain } from '../../test/support/trust-files.ts';
import { bury } from './forgery.fixture.ts';
import { seriesAt } from './place.ts';
import { verifySeries } from './verify-series.ts';

const TODAY = '2026-04-01';
const scratch = newFolder();
let honest: string;
/** The head of a time when there was one release only, and that of now. */
let early: Buffer;
let newest: Buffer;

beforeAll(async () => {
  const series = testSeries({ schedule: { weekday: 'thursday', time: '06:00' } });
  const first = await testRelease(series);
  const folder = join(first.folder, 'publication', 'demo');
  await publishRelease(first);
  await updatePages(first.context, first.run);
  early = await readFile(join(folder, 'head.json'));
  await publishRelease(await anotherRelease(first, { window: '2026-03-09' }));
  await updatePages(first.context, first.run);
  honest = join(scratch, 'honest', 'demo');
  await cp(folder, honest, { recursive: true });
  newest = await readFile(join(honest, 'head.json'));
});

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(scratch, `${copies}`, 'demo');
  await cp(honest, folder, { recursive: true });
  return folder;
}

const failed = async (folder: string, change: Partial<Parameters<typeof verifySeries>[1]> = {}): Promise<string[]> => {
  const { checks } = await verifySeries((await seriesAt(folder))!, {
    trust: TEST_CHAIN,
    seen: early,
    today: TODAY,
    ...change,
  });
  return checks.filter(({ ok }) => !ok).map(({ id }) => id);
};

/** Signs another head, with the publisher's key or another one. */
async function resign(folder: string, change: (head: HeadStatement) => Partial<HeadStatement>, key = publisherKey) {
  const { head } = readHead(await readFile(join(folder, 'head.json')));
  await writeFile(join(folder, 'head.json'), jsonBytes(headFile({ ...head, ...change(head) }, key.privateKey)));
}

test('the folder of an honest series verifies, with and without trust file and earlier head', async () => {
  const whole = await verifySeries((await seriesAt(honest))!, { trust: TEST_CHAIN, seen: early, today: TODAY });
  expect(whole).toMatchObject({ verified: true, tiedTo: 'organisation' });
  expect(whole.checks.map(({ id }) => id)).toEqual([
    'head',
    'head-publisher',
    'head-releases',
    'head-seen',
    'head-due',
    'charges',
    'latest',
    'pages',
  ]);
  expect(await verifySeries((await seriesAt(honest))!, { trust: null, seen: null, today: TODAY })).toMatchObject({
    verified: true,
    tiedTo: 'nobody',
  });
});

test('it verifies under any name of its folder, and from any address', async () => {
  const renamed = join(scratch, 'mirror of 2026');
  await cp(honest, renamed, { recursive: true });
  expect(await failed(renamed)).toEqual([]);
  const server = await serveFolder(scratch);
  expect(await failed(`${server.address}/mirror%20of%202026`)).toEqual([]);
  server.close();
});

const edit = async (folder: string, page: string, change: (text: string) => string) => {
  const text = await readFile(join(folder, page), 'utf8');
  if (change(text) === text) throw new Error(`the edit of ${page} changes nothing`);
  await writeFile(join(folder, page), change(text));
};

/** What somebody can do to the folder of a series, and the checks that notice. */
const TAMPERED: [string, string[], (folder: string) => Promise<void>][] = [
  ['a page with another word', ['pages'], (f) => edit(f, 'index.html', (text) => text.replace('current', 'retracted'))],
  ['a page that is gone', ['pages'], (f) => rm(join(f, 'changes.html'))],
  [
    'a feed with an entry less',
    ['pages'],
    (f) => edit(f, 'feed.atom', (text) => text.replace(/<entry>[\s\S]*?<\/entry>/, '')),
  ],
  [
    'a list with another state',
    ['pages'],
    (f) => edit(f, 'releases.json', (text) => text.replace('current', 'retracted')),
  ],
  [
    'a page swapped for that of another release',
    ['pages'],
    (f) => cp(join(f, '2026-03-02-v1.html'), join(f, '2026-03-09-v1.html')),
  ],
  [
    'a catalogue record of another series',
    ['pages'],
    (f) => edit(f, 'dcat.jsonld', (text) => text.replace('"demo"', '"other"')),
  ],
  [
    'a pointer to an earlier release',
    ['latest'],
    (f) => edit(f, 'latest.json', (text) => text.replaceAll('2026-03-09', '2026-03-02')),
  ],
  [
    'a page of a release that is not there',
    ['pages'],
    (f) => cp(join(f, '2026-03-02-v1.html'), join(f, '2026-03-16-v1.html')),
  ],
  [
    'a release that is gone',
    ['head-releases', 'latest', 'pages'],
    (f) => rm(join(f, '2026-03-09'), { recursive: true }),
  ],
  [
    'a release with another manifest',
    ['head-releases', 'latest', 'pages'],
    (f) => edit(f, '2026-03-09/v1/manifest.json', (text) => text.replace('"version":1', '"version":2')),
  ],
  [
    'a release of another folder in its place',
    ['head-releases', 'latest', 'pages'],
    (f) => cp(join(f, '2026-03-02', 'v1'), join(f, '2026-03-09', 'v1'), { recursive: true }),
  ],
  [
    'a tombstone that nobody signed',
    ['head-releases'],
    (f) => writeFile(join(f, '2026-03-09', 'v1', 'RETRACTED.json'), '{}'),
  ],
  ['the head of an earlier time', ['head-releases'], (f) => writeFile(join(f, 'head.json'), early)],
  [
    'a changed byte in the head',
    ['head'],
    (f) =>
      edit(f, 'head.json', (text) => text.replace(/("sig":")(.)/, (_, key, first) => key + (first === '0' ? 1 : 0))),
  ],
  [
    'another generation beside the signed one',
    ['head'],
    (f) => edit(f, 'head.json', (text) => text.replace('"generation":2', '"generation":9')),
  ],
  ['a head that is no JSON', ['head'], (f) => writeFile(join(f, 'head.json'), '{')],
  [
    'a head of another series',
    ['head-releases', 'head-seen', 'latest', 'pages'],
    (f) => resign(f, () => ({ series: 'other' })),
  ],
  ['a head of a stranger', ['head-publisher'], (f) => resign(f, () => ({}), generateSigningKey())],
  [
    'a head that leaves a release out',
    ['head-releases', 'head-seen'],
    (f) => resign(f, ({ releases }) => ({ releases: releases.slice(1) })),
  ],
  [
    'a head with a tombstone that is not there',
    ['head-releases'],
    (f) => resign(f, ({ releases }) => ({ releases: releases.map((one) => ({ ...one, tombstone: one.manifest })) })),
  ],
  [
    'a head under another trust file',
    ['head-publisher'],
    (f) => resign(f, ({ trust }) => ({ trust: { ...trust, number: 2 } })),
  ],
];

test.each(TAMPERED)('C16: %s is noticed by %j', async (_, expected, tamper) => {
  const folder = await copy();
  await tamper(folder);
  expect(await failed(folder)).toEqual(expected);
});

test('C16: a series that was rolled back whole is noticed by who has seen a newer head, and by its day', async () => {
  const folder = await copy();
  await rm(join(folder, '2026-03-09'), { recursive: true });
  await rm(join(folder, '2026-03-09-v1.html'));
  await writeFile(join(folder, 'head.json'), early);
  expect(await failed(folder)).toContain('pages');
  expect(await failed(folder, { seen: newest })).toContain('head-seen');
  expect(await failed(folder, { today: '2026-04-09' })).toContain('head-due');
  expect(await failed(honest, { today: '2026-04-09' })).toEqual([]);
  expect(await failed(honest, { today: '2026-04-16' })).toEqual(['head-due']);
});

test('a retraction that is gone from the head is noticed by who has seen it', async () => {
  const retracted = await copy();
  await resign(retracted, ({ releases }) => ({
    releases: releases.map((one) => ({ ...one, tombstone: one.manifest })),
  }));
  expect(await failed(honest, { seen: await readFile(join(retracted, 'head.json')) })).toEqual(['head-seen']);
});

/** The same publisher's key as a later version of the trust file has it, beside the one that took its place. */
const under = (valid: TrustVersion['publishers'][number]['valid']): TrustChain =>
  trustChain(
    {},
    {
      publishers: [
        { key: publisherKey.publicKey, valid },
        { key: generateSigningKey().publicKey, valid: 'everywhere' },
      ],
    },
  );

test('C16: a head of a key that the newest version ends is refused, whatever the head says of its time', async () => {
  const folder = await copy();
  await resign(folder, () => ({ nextExpected: '2099-01-01' }));
  const ends: Parameters<typeof under>[0][] = [{ 'demo-people': { until: 99 } }, { riders: {} }, {}];
  for (const valid of ends)
    expect([valid, await failed(folder, { trust: under(valid) })]).toEqual([
      valid,
      expect.arrayContaining(['head-publisher']),
    ]);
  expect(await failed(folder, { trust: under({ 'demo-people': { until: 99 } }) })).toEqual(['head-publisher']);
  expect(await failed(folder, { trust: under({ 'demo-people': {} }) })).toEqual([]);
});

test('C16: a tombstone with one decision of two retracts nothing, though its publisher signed it', async () => {
  const folder = await copy();
  await bury(join(folder, '2026-03-09', 'v1'), [ada]);
  expect(await failed(folder)).toEqual(['head-releases']);
});

test('a folder without a head is that of no series', async () => {
  expect(await seriesAt(scratch)).toBeNull();
});
