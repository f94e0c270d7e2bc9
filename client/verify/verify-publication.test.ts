import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { isPlainLine } from '../../core/text/plain-text.ts';
import { certify } from '../../counts/certificate/certify.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { tapsOf } from '../../kinds/taps/taps-domain.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { newestVersion, pinOf, type TrustChain } from '../../services/trust/trust-chain.ts';
import { drawTable } from '../../test/support/draw-rows.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { testRelease, testSeries, testTables } from '../../test/support/test-release.ts';
import {
  ada,
  approver,
  ben,
  eve,
  ledgerKey,
  publisherKey,
  TEST_CHAIN,
  trustChain,
} from '../../test/support/trust-files.ts';
import { attest, bury, decide, publish } from './forgery.fixture.ts';
import { LOOK_ALIKES } from './look-alikes.fixture.ts';
import { verifyPublication } from './verify-publication.ts';

const scratch = newFolder();
let honest: string;
beforeAll(async () => {
  honest = await publish();
});

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(scratch, String(copies));
  await cp(honest, folder, { recursive: true });
  return folder;
}

const failed = async (folder: string): Promise<string[]> =>
  (await verifyPublication(folder, TEST_CHAIN)).checks.filter(({ ok }) => !ok).map(({ id }) => id);

test('an honest publication verifies, and every check says what it found', async () => {
  const report = await verifyPublication(honest, TEST_CHAIN);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.verified).toBe(true);
  expect(report.checks.map(({ id }) => id)).toEqual([
    'checksums',
    'retraction',
    'manifest',
    'description',
    'attestation',
    'signatures',
    'approvers',
    'audit',
    'parameters',
    'places',
    'certificate',
    'threshold',
    'hour-rows',
    'order',
    'sums',
    'domain',
    'metadata',
    'parquet',
    'totals',
    'history',
    'publisher',
    'trust',
    'receipts',
    'texts',
  ]);
  expect(report.checks.every(({ sentence }) => sentence.length > 20)).toBe(true);
});

test('publications with holes, with remainder rows, and with fewer tables verify too', async () => {
  const hole = { part: 'bus', day: '2026-03-03', code: 'OBJECT_MISSING' as const };
  expect(await failed(await publish(testSeries(), testTables().slice(0, 3), [hole]))).toEqual([]);
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const series = testSeries({ privacy: { ...testSeries().privacy, split } });
  const domain: PublicDomain = {
    taps: tapsOf(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const random = seededSource(7);
  const drawn = testTables().map(({ part, day, cells }) =>
    drawTable({ part, day }, cells, domain, certify(series.privacy), random),
  );
  expect(await failed(await publish(series, drawn))).toEqual([]);
  expect(await failed(await publish(testSeries({ tables: ['time'] })))).toEqual([]);
});

test.each(LOOK_ALIKES)('look-alike: %s is caught by %j', async (_, expected, forge) => {
  const folder = await copy();
  await forge(folder);
  const report = await verifyPublication(folder, TEST_CHAIN);
  expect(report.verified).toBe(false);
  const ids = report.checks.filter(({ ok }) => !ok).map(({ id }) => id);
  expect(ids.sort()).toEqual([...expected].sort());
});

test('every check catches something, so that leaving one out makes a test fail', async () => {
  const { checks } = await verifyPublication(honest, TEST_CHAIN);
  const caught = new Set(LOOK_ALIKES.flatMap(([, expected]) => expected));
  expect(checks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test('C16: without a trust file a forgery of strangers is consistent in itself, and tied to nobody', async () => {
  expect(await verifyPublication(honest)).toMatchObject({ verified: true, tiedTo: 'nobody' });
  const forged = await copy();
  await LOOK_ALIKES.find(([name]) => name.startsWith("a stranger's whole"))![2](forged);
  expect(await verifyPublication(forged)).toMatchObject({ verified: true, tiedTo: 'nobody' });
  expect(await verifyPublication(forged, TEST_CHAIN)).toMatchObject({ verified: false });
});

test('C16: demo keys are called so', async () => {
  const demo = trustChain({}, { demo: true });
  expect(await verifyPublication(honest, demo)).toMatchObject({ verified: true, tiedTo: 'demo keys' });
});

/** Ids of the checks that fail under a trust file. */
const failedUnder = async (chain: TrustChain): Promise<string[]> =>
  (await verifyPublication(honest, chain)).checks.filter(({ ok }) => !ok).map(({ id }) => id);

const population = 'demo-people';
const others = [ben, eve].map((person) => approver(person));

test.each<[string, string[], Partial<TrustVersion>]>([
  ['nothing has changed', [], {}],
  ['an approver has left', ['trust'], { approvers: others }],
  ['an approver retired after it', [], { approvers: [approver(ada, { [population]: { until: 1 } }), ...others] }],
  ['an approver came after it', ['trust'], { approvers: [approver(ada, { [population]: { from: 2 } }), ...others] }],
  [
    'an approver was gone before it',
    ['trust'],
    { approvers: [approver(ada, { [population]: { until: 0 } }), ...others] },
  ],
  [
    'an approver is one of another series',
    ['trust'],
    { approvers: [{ ...approver(ada), series: ['other'] }, ...others] },
  ],
  [
    'the private worker is another one',
    ['publisher', 'trust', 'receipts'],
    { ledgers: [{ key: generateSigningKey().publicKey, valid: 'everywhere' }] },
  ],
  [
    'the publisher is another one',
    ['publisher'],
    { publishers: [{ key: generateSigningKey().publicKey, valid: 'everywhere' }] },
  ],
  [
    'the publisher retired before it',
    ['publisher'],
    { publishers: [{ key: publisherKey.publicKey, valid: { [population]: { until: 0 } } }] },
  ],
])('C16: under a newer trust file in which %s, %j fails', async (_, expected, change) => {
  expect(await failedUnder(trustChain({}, change))).toEqual(expected);
});

test.each<[string, string[], Partial<TrustVersion>]>([
  ['names other populations for an approver', ['trust'], { approvers: [approver(ada, { riders: {} }), ...others] }],
  [
    'ends the publisher in another population',
    ['publisher'],
    { publishers: [{ key: publisherKey.publicKey, valid: { riders: { until: 3 } } }] },
  ],
  [
    'ends the private worker elsewhere',
    ['publisher', 'trust', 'receipts'],
    { ledgers: [{ key: ledgerKey.publicKey, valid: { riders: {} } }] },
  ],
])('C16: a newer trust file that %s says nothing of this population, and %j fails', async (_, expected, change) => {
  expect(await failedUnder(trustChain({}, change))).toEqual(expected);
});

test('C16: two are required after the tips of the newest version, whatever a publication says of its time', async () => {
  const folder = await copy();
  await attest(folder, [ada], [await decide(folder, ada, { required: 1 })], { required: 1 });
  const wrong = async (tips: TrustVersion['tips']) => {
    const { checks } = await verifyPublication(folder, trustChain({}, { required: 2, tips }));
    return checks.filter(({ ok }) => !ok).map(({ id }) => id);
  };
  expect(await failed(folder)).toEqual([]);
  expect(await wrong({})).toEqual(['trust']);
  expect(await wrong({ [population]: 0, riders: 9 })).toEqual(['trust']);
  expect(await wrong({ [population]: 1 })).toEqual([]);
});

const mallory = { subject: ada.subject, ...generateSigningKey() };

test.each<[string, (folder: string) => Promise<void>]>([
  ['of a stranger who names herself ada', (f) => bury(f, [mallory, ben], generateSigningKey())],
  ['of the publisher with the decision of a stranger', (f) => bury(f, [mallory, ben])],
  ['of the publisher alone, with one decision of two', (f) => bury(f, [ada])],
  ['of the publisher, with one decision twice', (f) => bury(f, [ada, ada])],
  ['of strangers with real decisions', (f) => bury(f, [ada, ben], generateSigningKey())],
  [
    'of the publisher, with a sentence that nobody signed',
    (f) => bury(f, [ada, ben], publisherKey, { sentences: ['Use it.'] }),
  ],
  ['of another publication', (f) => bury(f, [ada, ben], publisherKey, { manifestDigest: 'ab'.repeat(32) })],
  [
    'of another trust file',
    (f) => bury(f, [ada, ben], publisherKey, { trust: { number: 1, digest: 'ab'.repeat(32) } }),
  ],
])('C16: a tombstone %s is nobody’s, and names nobody', async (_, plant) => {
  const folder = await copy();
  await plant(folder);
  const { checks } = await verifyPublication(folder, TEST_CHAIN);
  const { ok, sentence } = checks.find(({ id }) => id === 'retraction')!;
  expect([ok, sentence.includes('nobody’s'), sentence.includes('@')]).toEqual([false, true, false]);
});

test('a tombstone that its publisher and approvers signed says who took the publication back', async () => {
  const folder = await copy();
  await bury(folder, [ada, ben]);
  const sentenceUnder = async (chain: TrustChain | null) =>
    (await verifyPublication(folder, chain)).checks.find(({ id }) => id === 'retraction')!.sentence;
  expect(await sentenceUnder(TEST_CHAIN)).toContain('by ada@example.org, ben@example.org (data-wrong)');
  expect(await sentenceUnder(null)).toContain('by keys that belong to nobody (data-wrong)');
  const ended = { publishers: [{ key: publisherKey.publicKey, valid: { [population]: { until: 0 } } }] };
  expect(await sentenceUnder(trustChain({}, ended))).toContain('nobody’s');
});

test('C16: a trust file that is older than the publication, or another one of that number, does not vouch for it', async () => {
  expect(await failedUnder(trustChain({ organisation: 'Another' }))).toEqual(['publisher', 'trust']);
  const release = await testRelease();
  try {
    const newer = trustChain({}, { organisation: 'Test transport, again' });
    const context = { ...release.context, trust: async () => newer };
    const basis = { trust: pinOf(newestVersion(newer)) };
    await publishRelease({ ...release, context }, [ada, ben], basis);
    const folder = join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
    expect((await verifyPublication(folder, newer)).verified).toBe(true);
    const { checks } = await verifyPublication(folder, TEST_CHAIN);
    expect(checks.find(({ id }) => id === 'publisher')).toMatchObject({
      ok: false,
      sentence: expect.stringContaining('yours ends at 1'),
    });
  } finally {
  }
});

test('names of files are printed as one line, whatever they hold', async () => {
  const folder = await copy();
  await writeFile(join(folder, 'a\n✓ trust: all is well\u001b[2J'), '');
  for (const { sentence } of (await verifyPublication(folder)).checks) expect(isPlainLine(sentence)).toBe(true);
});

test('a file that is nested without end fails a check, and stops nothing', async () => {
  const folder = await copy();
  await writeFile(join(folder, 'attestation.json'), '['.repeat(5_000_000));
  const { checks } = await verifyPublication(folder, TEST_CHAIN);
  expect(checks.find(({ id }) => id === 'attestation')).toMatchObject({
    ok: false,
    sentence: expect.stringContaining('nested deeper'),
  });
});

test('C10: a folder that is no publication gives failed checks, and no folder at all a plain error', async () => {
  const empty = join(scratch, 'empty');
  await mkdir(empty);
  const report = await verifyPublication(empty);
  expect(report.verified).toBe(false);
  expect(report.checks.every(({ ok }) => !ok)).toBe(true);
  await expect(verifyPublication(join(scratch, 'nowhere'))).rejects.toMatchObject({ code: 'USAGE' });
});
