import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesCommand, checkSources } from '../../client/release/check-sources.ts';
import { askOffered } from '../../client/workflow-calls.ts';
import { type Partition, partitionPath, RELEASE_KEYS, releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type SmallSeries,
  smallKey,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

/** Objects that are late, replaced or broken: each test delivers the window again. */
let stack: TestStack;
let series: SmallSeries;
beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

/** The small series that waits `hours` hours, and then does what `otherwise` says. */
const waiting = (name: string, hours: number, otherwise: 'fail' | 'holes'): Promise<SmallSeries> =>
  writeSmallSeries(join(stack.root, name), { series: name, population: name }, (yaml) =>
    yaml.replace(
      '  rows: trips\n',
      (rows) => `${rows}  completeness: { waitHours: ${hours}, otherwise: ${otherwise} }\n`,
    ),
  );

const lose = (day: string) => rm(join(stack.source, smallKey(day, 'bus')));
const ask = { subject: 'test' };

test('a release waits for what is late, goes on when it comes, and notices what is replaced afterwards', async () => {
  await writeSmallTrips(stack.source);
  await lose('2026-03-04');
  const series = await waiting('late', 1, 'fail');
  const run = await startSmall(stack.client, series);
  const status = await reaches(stack.client, run, ['waiting-for-objects']);
  expect(status.waitingFor).toMatchObject({ names: ['2026-03-04/bus.csv.gz'], total: 1 });
  await writeTrips(stack.source, '2026-03-04', 'bus', smallTrips('2026-03-04', 'bus'));
  expect(await stack.client.ask(run, 'proceed', ask)).toMatchObject({ accepted: true });
  const atGate = await reaches(stack.client, run, ['waiting', 'partitions-failed', 'failed']);
  expect(atGate).toMatchObject({ state: 'waiting', waitingFor: null, sourceChanges: { changed: [], total: 0 } });
  await writeTrips(stack.source, '2026-03-03', 'bus', `${smallTrips('2026-03-03', 'bus')}\n`);
  const changes = await checkSources(stack.client, run);
  expect(changes.changed).toMatchObject([{ object: '2026-03-03/bus.csv.gz', change: 'replaced' }]);
  expect(changesCommand(atGate, changes)).toEqual({
    when: expect.stringContaining('once the release has ended (a new version'),
    command: expect.stringContaining('--partition bus/2026-03-03 bus/2026-03-04 --reason'),
  });
  const held = { part: 'bus', day: '2026-03-03', state: 'failed', object: '2026-03-03/bus.csv.gz' } as const;
  const failed = { ...atGate, state: 'partitions-failed', partitions: [held] } as const;
  expect(changesCommand({ ...failed, partitions: [held] }, changes)?.command).toBe(`opaline retry ${releasePath(run)}`);
  const other = { ...held, object: 'another' };
  expect(changesCommand({ ...failed, partitions: [other] }, changes)?.command).toContain('opaline correct');

  // Two people at once: one decision is taken, the other one gets an answer.
  const both = ['approve', 'reject'] as const;
  const answers = await Promise.all(both.map((decision) => decideSmall(stack.client, series, run, decision)));
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  const ended = await reaches(stack.client, run, ['published', 'rejected']);
  expect(ended.state).toBe(answers[0]!.accepted ? 'published' : 'rejected');
  // Whoever read the state a moment before that hears of the end, and not that there is no such release.
  const { workflow } = stack.client.temporal;
  const late = await askOffered(workflow.getHandle(releaseWorkflowId(run)), 'waiting', 'cancel', ask);
  expect(late).toMatchObject({ accepted: false, code: 'ACTION_NOT_OFFERED' });
});

test('when the time is over, what is missing becomes named holes, or holds back its partitions', {
  tags: 'soak',
}, async () => {
  await writeSmallTrips(stack.source);
  await lose('2026-03-04');
  const holes = await startSmall(stack.client, await waiting('holes', 0.001, 'holes'));
  const status = await reaches(stack.client, holes, ['waiting', 'partitions-failed', 'failed']);
  expect(status.state).toBe('waiting');
  expect(status.partitions.filter(({ state }) => state === 'abandoned')).toEqual([
    { part: 'bus', day: '2026-03-04', state: 'abandoned', code: 'OBJECT_MISSING', object: '2026-03-04/bus.csv.gz' },
  ]);
  const fails = await startSmall(stack.client, await waiting('fails', 0.001, 'fail'));
  await reaches(stack.client, fails, ['partitions-failed']);
  const retry = () => stack.client.ask(fails, 'retryPartitions', { partitions: [], subject: 'test' });
  const answers = await Promise.all([retry(), retry()]);
  // Both are served only when the first had ended before the second came, and had left them failed.
  const accepted = answers.filter((answer) => answer.accepted);
  if (accepted.length > 1) expect(accepted.map(({ state }) => state)).toContain('partitions-failed');
  expect(accepted.length).toBeGreaterThan(0);
});

test('a wait can be cancelled, and costs nothing', async () => {
  await writeSmallTrips(stack.source);
  await lose('2026-03-02');
  const run = await startSmall(stack.client, await waiting('cancelled', 1, 'fail'));
  await reaches(stack.client, run, ['waiting-for-objects']);
  expect(await stack.client.ask(run, 'cancel', ask)).toMatchObject({ accepted: true });
  expect(await reaches(stack.client, run, ['cancelled'])).toMatchObject({ charge: null });
});

const named = (status: ReleaseStatus, state: string): string[] =>
  status.partitions.filter((one) => one.state === state).map(partitionPath);

const tables = (run: Run, partitions: Partition[]): Promise<Buffer[]> =>
  Promise.all(
    partitions.map((partition) => readBytes(stack.client.releaseStore, RELEASE_KEYS.privatized(run, partition))),
  );

test('a truncated object holds back exactly the partitions that it may feed, and a retry completes the release', async () => {
  await writeSmallTrips(stack.source);
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

test('a partition held back by an object can be abandoned, and becomes a named hole', { tags: 'soak' }, async () => {
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
