import { beforeAll, beforeEach, expect, test } from 'vitest';
import { derive } from '../../../../activities/public/derive.ts';
import type { AuditReport } from '../../../../contracts/audit-report.ts';
import { HEAD_FORMAT, type HeadStatement } from '../../../../contracts/formats/head.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../../../contracts/names.ts';
import { headFile } from '../../../../services/series-pages/head-file.ts';
import { jsonBytes, readBytes, sha256 } from '../../../../services/stores/json-objects.ts';
import { MemoryStore } from '../../../../services/stores/memory-store.ts';
import { TEST_BUILD } from '../../../../test/support/folder-contexts.ts';
import type { ReleaseBench } from '../../../../test/support/release-bench.ts';
import { putSigned, tombstoneOf } from '../../../../test/support/signed-publication.ts';
import {
  loadSmallSeries,
  openSmallRelease,
  SMALL_WINDOW,
  withMargins,
  writeSmallTrips,
} from '../../../../test/support/small-series.ts';
import { ANY_BASIS, ada, publisherKey, TEST_CHAIN } from '../../../../test/support/trust-files.ts';
import { type TapsSeries, tapsSeries } from '../../series.ts';
import { readPast } from './past.ts';

const MARGINS = [FILES.table('margins-time'), FILES.table('margins-location')];
const READ = [FILES.privacy, FILES.certificate, FILES.table('totals'), ...MARGINS];
const files = new Map<string, Buffer>();
let bench: ReleaseBench;
let series: TapsSeries;
let publicationStore: MemoryStore;
const manifests = new Map<string, string>();

beforeAll(async () => {
  const loaded = await loadSmallSeries(withMargins);
  bench = await openSmallRelease(loaded);
  series = tapsSeries(loaded.series);
  await writeSmallTrips(bench.folder('source'));
  const context = bench.contexts().public;
  await derive(context, await bench.through('privatize'));
  for (const name of READ)
    files.set(name, await readBytes(context.releaseStore, RELEASE_KEYS.staged(bench.run(), TEST_BUILD, name)));
  files.set(FILES.audit, auditOf([]));
});
beforeEach(() => {
  publicationStore = new MemoryStore();
});

type Named = NonNullable<AuditReport['history']>['read'];

/** An audit that was made with these publications as its history. */
const auditOf = (read: Named): Buffer =>
  jsonBytes({
    format: 'opaline-audit/2',
    release: 'small',
    verdict: 'pass',
    checks: [],
    history: { read, left: [], unusual: [], days: [], places: [] },
  });

/** Publishes the release as that of another window or version, with a change. */
async function published(
  window: string,
  version = 1,
  change: (name: string, text: string) => string = (_, text) => text,
  signer = publisherKey,
): Promise<string> {
  const changed = new Map([...files].map(([name, bytes]) => [name, Buffer.from(change(name, bytes.toString()))]));
  const digest = await putSigned(publicationStore, { ...bench.run(), window, version }, changed, signer);
  manifests.set(`small/${window}/v${version}`, digest);
  return digest;
}

const trust = async () => TEST_CHAIN;
const found = (window = '2026-04-06') => readPast({ publicationStore, trust }, series, window);
const past = async (window?: string) => (await found(window)).past;
const historyOf = async (window?: string) => {
  const { read, left } = (await found(window)).history;
  return { read: read.map(({ release }) => release), left: left.map(({ release, reason }) => `${release}: ${reason}`) };
};
const rowsOf = async (window?: string) => (await past(window)).map(({ margins }) => margins.count.length);

/** Of the first day alone. */
const oneDay = (name: string, text: string): string =>
  MARGINS.includes(name)
    ? text
        .split('\n')
        .filter((line) => !/^\w+,2026-?03-?0[34]/.test(line))
        .join('\n')
    : text;

test('the margins of earlier publications are read, with their noise and the names of unknown places', async () => {
  await published(SMALL_WINDOW);
  const [first, ...others] = await past();
  expect(others).toEqual([]);
  expect(first!.certificate.marginScales).toEqual({ time: '40/3', location: '8' });
  expect(Object.fromEntries(first!.unknownPlaces)).toEqual({ bus: '-1', ferry: 'UNKNOWN' });
  expect(first!.margins.slices.map(({ mode, day, tap }) => `${mode} ${day} ${tap}`)).toHaveLength(12);
});

test('of each window the newest version counts, and neither retracted ones nor those of later windows do', async () => {
  await published('2026-03-09');
  await published('2026-03-09', 2, oneDay);
  await published('2026-03-16');
  const [both, whole] = [await rowsOf(), await rowsOf('2026-03-23')];
  expect(both).toEqual(whole);
  expect(both[0]).toBe(3 * both[1]!);
  expect(await rowsOf('2026-03-16')).toEqual([both[1]]);
  expect(await rowsOf('2026-03-09')).toEqual([]);
  const retracted = PUBLIC_KEYS.file({ series: 'small', window: '2026-03-09', version: 2 }, FILES.retraction);
  const strange = tombstoneOf('small/2026-03-09/v2', manifests.get('small/2026-03-09/v2')!, ada.privateKey);
  await publicationStore.putIfAbsent(retracted, strange);
  expect(await rowsOf()).toEqual(both);
  publicationStore = new MemoryStore();
  await published('2026-03-09');
  await published('2026-03-09', 2, oneDay);
  await published('2026-03-16');
  await publicationStore.putIfAbsent(
    retracted,
    tombstoneOf('small/2026-03-09/v2', manifests.get('small/2026-03-09/v2')!, publisherKey.privateKey),
  );
  expect(await rowsOf()).toEqual([both[0], both[0]]);
});

test('what no publisher of the trust file signed tells nothing, and hides nothing', async () => {
  await published('2026-03-09');
  await published('2026-03-09', 2, oneDay, ada);
  await published('2026-03-16', 1, undefined, ada);
  expect(await rowsOf()).toHaveLength(1);
  await published('2026-03-23');
  const cut = PUBLIC_KEYS.file({ series: 'small', window: '2026-03-30', version: 1 }, FILES.checksums);
  await publicationStore.putIfAbsent(cut, Buffer.from(''));
  expect(await rowsOf()).toHaveLength(2);
});

test('eight publications are enough', async () => {
  for (let week = 0; week < 10; week += 1) await published(`2025-12-${String(week + 1).padStart(2, '0')}`);
  expect(await past()).toHaveLength(8);
});

test('totals are read of all of them, by digests that anybody can compare', async () => {
  for (let week = 0; week < 10; week += 1) await published(`2025-12-${String(week + 1).padStart(2, '0')}`);
  const { read, left, unusual } = (await found()).history;
  expect([read.length, left, unusual]).toEqual([10, [], []]);
  expect(read[0]).toMatchObject({
    release: 'small/2025-12-10/v1',
    manifest: manifests.get('small/2025-12-10/v1'),
    totals: sha256(files.get(FILES.table('totals'))!),
  });
  expect(read[0]!.rows.map(({ part, day }) => `${part} ${day}`)).toHaveLength(6);
  expect(read[0]!.rows.every(({ low, high }) => low! <= high!)).toBe(true);
});

test('C16: what was planted, damaged, removed or put back to an older version is named, and counts for nothing', async () => {
  const before = await published('2026-03-09');
  await published('2026-03-16', 1, undefined, ada);
  const damaged = PUBLIC_KEYS.file({ series: 'small', window: '2026-03-23', version: 1 }, FILES.table('totals'));
  await publicationStore.putIfAbsent(damaged, Buffer.from('mode,date,count,low,high\r\n'));
  await published('2026-03-23');
  const strange = ['2026-03-16: no publisher has signed it', '2026-03-23: its files are not those that were signed'];
  const leftOf = (all: string[]) => all.map((one) => `small/${one.replace(':', '/v1:')}`);
  expect(await historyOf()).toEqual({ read: ['small/2026-03-09/v1'], left: leftOf(strange) });
  // An audit of a later window names a version that is gone, and gives one that is there a different digest.
  const entry = (release: string, manifest: string) => ({ release, manifest, totals: 'ab'.repeat(32) });
  const named = [entry('small/2026-03-09/v1', 'ab'.repeat(32)), entry('small/2026-03-09/v2', before)];
  await published('2026-03-30', 1, (name, text) => (name === FILES.audit ? auditOf(named).toString() : text));
  expect((await historyOf()).left.filter((one) => one.includes('03-09'))).toEqual([
    'small/2026-03-09/v1: another was published under its name',
    'small/2026-03-09/v2: it was published, and is gone',
  ]);
});

test('C16: what the signed head names and nobody finds any more is named; a head of a stranger says nothing', async () => {
  const manifest = await published('2026-03-09');
  const store = publicationStore;
  const release = (window: string) => ({ release: `small/${window}/v1`, manifest, tombstone: null });
  const head: HeadStatement = {
    format: HEAD_FORMAT,
    series: 'small',
    generation: 2,
    nextExpected: null,
    trust: ANY_BASIS.trust,
    releases: [release('2026-03-09'), release('2026-03-16')],
  };
  for (const [key, left] of [
    [ada, []],
    [publisherKey, ['small/2026-03-16/v1: it was published, and is gone']],
  ] as const) {
    const page = PUBLIC_KEYS.page('small', 'head.json');
    publicationStore = new MemoryStore();
    for await (const { key } of store.list('')) await publicationStore.putIfAbsent(key, await readBytes(store, key));
    await publicationStore.putIfAbsent(page, jsonBytes(headFile(head, key.privateKey)));
    expect((await historyOf()).left).toEqual(left);
  }
});

test.each<[name: string, (name: string, text: string) => string]>([
  ['whose margins are no table', (name, text) => (MARGINS.includes(name) ? `${text}\nfoo` : text)],
  ['whose certificate is cut', (name, text) => (name === FILES.certificate ? text.slice(0, 99) : text)],
  ['that counts another unit', (name, text) => (name === FILES.certificate ? text.replace('"trip"', '"tap"') : text)],
  [
    'of other weekdays',
    (name, text) => (name === FILES.privacy ? text.replaceAll(/2026-03-0(\d)/g, '2026-03-1$1') : text),
  ],
])('one %s tells nothing', async (_, change) => {
  await published('2026-03-16', 1, change);
  expect(await past()).toEqual([]);
  await published('2026-03-09');
  expect(await past()).toHaveLength(1);
});
