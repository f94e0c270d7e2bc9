import { beforeAll, beforeEach, expect, test } from 'vitest';
import { derive } from '../../../../activities/public/derive.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../../../contracts/names.ts';
import { readBytes } from '../../../../services/stores/json-objects.ts';
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
import { ada, publisherKey, TEST_CHAIN } from '../../../../test/support/trust-files.ts';
import { type TapsSeries, tapsSeries } from '../../series.ts';
import { readPast } from './past.ts';

const MARGINS = [FILES.table('margins-time'), FILES.table('margins-location')];
const READ = [FILES.privacy, FILES.certificate, ...MARGINS];
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
});
beforeEach(() => {
  publicationStore = new MemoryStore();
});

/** Publishes the release as that of another window or version, with a change. */
async function published(
  window: string,
  version = 1,
  change: (name: string, text: string) => string = (_, text) => text,
  signer = publisherKey,
): Promise<void> {
  const changed = new Map([...files].map(([name, bytes]) => [name, Buffer.from(change(name, bytes.toString()))]));
  const digest = await putSigned(publicationStore, { ...bench.run(), window, version }, changed, signer);
  manifests.set(`small/${window}/v${version}`, digest);
}

const trust = async () => TEST_CHAIN;
const past = (window = '2026-04-06') => readPast({ publicationStore, trust }, series, window);
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
  const [found, ...others] = await past();
  expect(others).toEqual([]);
  expect(found!.certificate.marginScales).toEqual({ time: '40/3', location: '8' });
  expect(Object.fromEntries(found!.unknownPlaces)).toEqual({ bus: '-1', ferry: 'UNKNOWN' });
  expect(found!.margins.slices.map(({ mode, day, tap }) => `${mode} ${day} ${tap}`)).toHaveLength(12);
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
