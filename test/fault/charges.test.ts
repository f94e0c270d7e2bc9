import { beforeEach, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease } from '../support/small-series.ts';
import { ordered } from '../support/test-custody.ts';

let release: ReleaseBench;
beforeEach(async () => {
  release = await openSmallRelease(
    await loadSmallSeries((yaml) => yaml.replace('block: { epsilon: 100', 'block: { epsilon: 12')),
  );
});

let started = 0;
const worker = () =>
  createPrivateActivities(release.contexts({ random: seededSource(1), newId: () => numberedId(++started) }).private);
const kinds = async () => (await readLedger(release.store('release'), 'small-riders')).entries.map(({ kind }) => kind);
async function reserve(version: number) {
  const run = release.run(version);
  if (version > 1) await ordered(release.store('release'), run);
  return worker().reserve({ ...run, partitions: release.partitions });
}

test('C12 safe-to-retry: a reserve that is repeated gives the charge that is there and charges nothing', async () => {
  const first = await reserve(1);
  expect(await reserve(1)).toEqual(first);
  expect(await kinds()).toEqual(['policy', 'reserve']);
});

test('C12 safe-to-retry: a charge over the cap of a block is refused, and the refusal is recorded once', async () => {
  await reserve(1);
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(reserve(2)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(await kinds()).toEqual(['policy', 'reserve', 'refuse']);
});

test('C12: of racing reserves only as many are charged as the caps allow', async () => {
  const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(reserve));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await kinds()).filter((kind) => kind === 'reserve')).toHaveLength(1);
});
