import { beforeAll, expect, test } from 'vitest';
import { withhold } from '../../activities/private/withhold.ts';
import { PRIVATE_KEYS, RELEASE_KEYS, WORKING_PREFIXES } from '../../contracts/names.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { ReleaseBench } from '../../test/support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, smallTrips, writeTrips } from '../../test/support/small-series.ts';
import { type Retention, retention } from './retention.ts';

/** What is kept for ever, or as long as workers run: everything that is no working prefix. */
const KEPT = ['ledger', 'privatized', 'previews', 'clearances', 'policies', 'canary'];

/** One release is in the middle of its way; another one, of the next window, was rejected. */
let bench: ReleaseBench;
beforeAll(async () => {
  const loaded = await loadSmallSeries();
  bench = await openSmallRelease(loaded);
  const rejected = new ReleaseBench(bench.root, loaded, '2026-03-09');
  for (const { part, day } of [...bench.partitions, ...rejected.partitions])
    await writeTrips(bench.folder('source'), day, part, smallTrips(day, part));
  const { private: context } = bench.contexts();
  for (const one of [bench, rejected]) await one.through('privatize', context);
  await withhold(context, { ...rejected.run(), reason: 'rejected' });
  await bench.store('private').putIfAbsent(PRIVATE_KEYS.diagnostics('one'), Buffer.from('a row'));
  await bench.store('private').putIfAbsent('later/small/2026-03-09/v1/new.json', Buffer.from('of a later build'));
});

type Asked = Parameters<typeof retention>[1];
const NOBODY: Asked = { within: null, withReports: false, isAtWork: async () => false };

const look = (asked: Partial<Asked> = {}, context = bench.contexts().private): Promise<Retention> =>
  retention(context, { ...NOBODY, ...asked });

const prefixesOf = ({ objects }: Retention): string[] =>
  [...new Set(objects.map(({ key }) => key.split('/')[0]!))].sort();

test('C11: of a release whose charge has ended its cells, records and inventory may go, and nothing that is kept', async () => {
  const found = await look();
  expect(prefixesOf(found)).toEqual(['cells', 'draws', 'inventory']);
  expect(found.objects.every(({ key }) => key.includes('/2026-03-09/v1/'))).toBe(true);
  expect(found.kept).toEqual([
    { release: 'small/2026-03-02/v1', why: 'its ledger has no end of its charge, so it may go on' },
  ]);
  const reports = await look({ withReports: true });
  expect(prefixesOf(reports)).toEqual(['cells', 'diagnostics', 'draws', 'inventory', 'tallies', 'warnings']);
});

test('a release that Temporal runs keeps everything, whatever the ledger says', async () => {
  const found = await look({ isAtWork: async () => true });
  expect([found.objects, found.kept.map(({ why }) => why)]).toEqual([
    [],
    Array(2).fill(expect.stringContaining('at work')),
  ]);
});

test('a series or a release is looked at alone, and none whose name begins alike', async () => {
  expect((await look({ within: 'small/2026-03-09/v1' })).objects).toEqual((await look({ within: 'small' })).objects);
  for (const within of ['smal', 'small/2026-03-02/v1', 'small/2026-03-09/v', 'small/2026-03-0', 'other'])
    expect((await look({ within })).objects, within).toEqual([]);
});

test('without a whole and signed ledger nothing may go, and draws that none charges stay', async () => {
  const { private: context } = bench.contexts();
  const wrongKeys = { ...context, ledgerKeys: () => [] };
  await expect(look({}, wrongKeys)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  class Forgetting extends FolderStore {
    override async *list(prefix: string) {
      if (prefix !== RELEASE_KEYS.allLedgers) yield* super.list(prefix);
    }
  }
  const lost = await look({}, { ...context, privateStore: new Forgetting(bench.folder('private')) });
  expect([lost.objects, lost.kept.map(({ why }) => why.slice(0, 12))]).toEqual([[], ['it has draws', 'it has draws']]);
});

test('every key of the private store is said to be kept or not', () => {
  const release = bench.run();
  const [partition] = bench.partitions;
  const keys = [
    ...Object.values(PRIVATE_KEYS).map((key) =>
      typeof key === 'string' ? key : String((key as (...given: unknown[]) => string)(release, 0, partition)),
    ),
    PRIVATE_KEYS.preview('riders', 'one'),
    PRIVATE_KEYS.previews('riders'),
    PRIVATE_KEYS.diagnostics('one'),
    RELEASE_KEYS.allLedgers,
  ].map((key) => key.split('/')[0]!);
  expect([...new Set(keys)].filter((one) => !KEPT.includes(one) && !WORKING_PREFIXES.includes(one))).toEqual([]);
  expect(WORKING_PREFIXES.filter((one) => KEPT.includes(one))).toEqual([]);
});
