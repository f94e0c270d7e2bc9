import { beforeEach, expect, test } from 'vitest';
import { bin } from '../../activities/private/bin.ts';
import { reingest } from '../../activities/private/reingest.ts';
import { privateTaps } from '../../kinds/taps/private/private-kind.ts';
import type { ReleaseBench } from '../../test/support/release-bench.ts';
import {
  loadSmallSeries,
  openSmallRelease,
  SMALL_DAYS,
  smallKey,
  smallTrips,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../../test/support/small-series.ts';
import { inputReport } from './input-report.ts';
import { type KeptWarnings, listUnreported, markReported, readWarnings } from './kept-warnings.ts';

const DAY = SMALL_DAYS[1]!;
const HEADER = smallTrips(DAY, 'bus').split('\n')[0]!;

let bench: ReleaseBench;
beforeEach(async () => {
  bench = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(bench.folder('source'));
});

const deliver = (text: string, mode = 'bus') => writeTrips(bench.folder('source'), DAY, mode, text);

/** What is to be reported to the custodian, by the look that found it. */
async function told(): Promise<Record<string, KeptWarnings['warnings']>> {
  const store = bench.store('private');
  const keys = (await listUnreported(store)).sort();
  const kept = await Promise.all(keys.map((key) => readWarnings(store, key)));
  return Object.fromEntries(kept.map(({ round, found, warnings }) => [`${round} ${found}`, warnings]));
}

test('C5: of a sound delivery nothing is told, and that is kept too', async () => {
  await bench.through('bin');
  expect(await told()).toEqual({ '0 bin': [], '0 ingest': [] });
});

test('C5: a file of a header alone is told, with the partition that has no rows', async () => {
  await deliver(`${HEADER}\n`);
  await bench.through('bin');
  expect((await told())['0 bin']).toEqual([
    { kind: 'no-rows', sentence: `${smallKey(DAY, 'bus')} holds no row.` },
    { kind: 'without-data', sentence: `No row belongs to bus/${DAY}.` },
  ]);
});

test('C5: a share of rejects above the bound is told, and one below it is not', async () => {
  const [head, ...rows] = smallTrips(DAY, 'bus').trimEnd().split('\n');
  const spoilt = (bad: number) => [head, ...rows.map((row, at) => (at < bad ? row.replace(DAY, 'x') : row))].join('\n');
  await deliver(spoilt(70));
  await deliver(spoilt(1).replaceAll('bus,', 'ferry,'), 'ferry');
  await bench.through('bin');
  expect((await told())['0 bin']).toEqual([
    { kind: 'rejected', sentence: expect.stringMatching(/^\d\d\.\d % of 2026-03-03\/bus\.csv\.gz was rejected\.$/) },
  ]);
});

test('C5: names that no list has are told', async () => {
  await deliver(smallTrips(DAY, 'bus').replaceAll('stop-1', 'platform-1'));
  await bench.through('bin');
  expect((await told())['0 bin']).toEqual([
    { kind: 'unknown-places', sentence: expect.stringMatching(/^1\d\.\d % of all taps are at places/) },
  ]);
});

test('C6: an object that is damaged is told once; after a retry the report is of the whole release', async () => {
  await writeTruncatedTrips(bench.folder('source'), DAY, 'bus');
  const context = bench.contexts().private;
  const { faults } = await bench.through('bin', context);
  expect(await told()).toEqual({
    '0 bin': [],
    '0 ingest': [{ kind: 'object', sentence: `${smallKey(DAY, 'bus')}: OBJECT_UNREADABLE.` }],
  });
  for (const key of await listUnreported(bench.store('private'))) await markReported(bench.store('private'), key);
  await deliver(smallTrips(DAY, 'bus'));
  const again = { ...bench.run(), round: 1, partitions: faults.flatMap(({ partitions }) => partitions) };
  await reingest(context, again);
  await bin(context, again);
  expect(await told()).toEqual({ '1 bin': [], '1 ingest': [] });
  const question = { partitions: bench.partitions, kept: privateTaps.looks!.kept, samples: 0 };
  const report = await inputReport(context, bench.run(), question);
  expect(report).toMatchObject({ round: 1, withoutData: [], warnings: [], beyondBound: 0 });
  expect(report.objects.map(({ objects: [name] }) => name)).toHaveLength(6);
});

test('C5: totals are of the window and not of the days beside it', async () => {
  const before = '2026-03-01';
  await writeTrips(bench.folder('source'), before, 'bus', smallTrips(before, 'bus'));
  await deliver(`${smallTrips(DAY, 'bus')}bus,${DAY} 09:00:00,platform-1,,\n`);
  await bench.through('bin');
  const question = { partitions: bench.partitions, kept: null, samples: 0 };
  const { objects, totals } = await inputReport(bench.contexts().private, bench.run(), question);
  // 90 trips of two taps, and one of one.
  expect(totals).toEqual(
    bench.partitions.map((partition) => ({
      ...partition,
      ...(partition.part === 'bus' && partition.day === DAY
        ? { counted: 182, unknown: 1 }
        : { counted: 181, unknown: 0 }),
    })),
  );
  expect(objects.find(({ objects: [name] }) => name === smallKey(before, 'bus'))).toMatchObject({ counted: 0 });
});
