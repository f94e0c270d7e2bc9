import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { type Partition, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type SmallSeries,
  smallKey,
  smallTrips,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

const named = (status: ReleaseStatus, state: string): string[] =>
  status.partitions.filter((one) => one.state === state).map(partitionPath);

const tables = (run: Run, partitions: Partition[]): Promise<Buffer[]> =>
  Promise.all(
    partitions.map((partition) => readBytes(stack.client.releaseStore, RELEASE_KEYS.privatized(run, partition))),
  );

test('a truncated object holds back exactly the partitions that it may feed, and a retry completes the release', async () => {
  await writeTruncatedTrips(stack.source, '2026-03-03', 'bus');
  const run = await startSmall(stack.client, series);
  const failed = await reaches(stack.client, run, ['partitions-failed', 'waiting', 'failed']);

  expect(failed.state).toBe('partitions-failed');
  expect(named(failed, 'failed')).toEqual(['bus/2026-03-03', 'bus/2026-03-04']);
  expect(failed.partitions.find(({ state }) => state === 'failed')).toMatchObject({
    code: 'OBJECT_UNREADABLE',
    object: smallKey('2026-03-03', 'bus'),
  });
  const finished = failed.partitions.filter(({ state }) => state === 'drawn');
  expect(finished).toHaveLength(4);
  const before = await tables(run, finished);

  const still = await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
  expect(still).toMatchObject({ accepted: true });
  expect(named(await reaches(stack.client, run, ['partitions-failed']), 'failed')).toHaveLength(2);

  await writeTrips(stack.source, '2026-03-03', 'bus', smallTrips('2026-03-03', 'bus'));
  expect(await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' })).toMatchObject({
    accepted: true,
  });
  const waiting = await reaches(stack.client, run, ['waiting', 'failed']);
  expect(named(waiting, 'drawn')).toHaveLength(6);
  expect(waiting.charge).toBe(failed.charge);
  expect(await tables(run, finished)).toEqual(before);
  expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['published', 'failed'])).state).toBe('published');
});

test('an object that feeds a drawn partition is refused with NEEDS_CORRECTION', async () => {
  await writeSmallTrips(stack.source);
  await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
  const run = await startSmall(stack.client, series, 2);
  await reaches(stack.client, run, ['partitions-failed']);

  await writeSmallTrips(stack.source);
  // The day before feeds the failed partition too, over midnight, and its own partition is drawn.
  await writeTrips(stack.source, '2026-03-03', 'ferry', smallTrips('2026-03-03', 'ferry').replace('stop-2', 'stop-3'));
  const answer = await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
  expect(answer).toMatchObject({ accepted: false, code: 'NEEDS_CORRECTION' });
  expect((await stack.client.status(run)).state).toBe('partitions-failed');
});

test('a partition held back by an object can be abandoned, and becomes a named hole', async () => {
  await writeSmallTrips(stack.source);
  await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
  const run = await startSmall(stack.client, series, 3);
  await reaches(stack.client, run, ['partitions-failed']);
  const partitions = [{ part: 'ferry', day: '2026-03-04' }];
  expect(
    await stack.client.ask(run, 'abandonPartitions', {
      partitions: [{ part: 'bus', day: '2026-03-04' }],
      subject: 'test',
    }),
  ).toMatchObject({ accepted: false, code: 'USAGE' });
  expect(await stack.client.ask(run, 'abandonPartitions', { partitions, subject: 'test' })).toMatchObject({
    accepted: true,
  });
  const waiting = await reaches(stack.client, run, ['waiting', 'failed']);
  expect(named(waiting, 'abandoned')).toEqual(['ferry/2026-03-04']);
});
