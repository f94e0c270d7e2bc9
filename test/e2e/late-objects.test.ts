import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSources, correctionCommand } from '../../client/release/check-sources.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type SmallSeries,
  smallKey,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
} from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack?.end());

/** The small series that waits so many hours, and then does so. */
async function waiting(name: string, hours: number, otherwise: 'fail' | 'holes'): Promise<SmallSeries> {
  const series = await writeSmallSeries(join(stack.root, name), { series: name, population: name });
  const text = await readFile(series.file, 'utf8');
  const completeness = `  completeness: { waitHours: ${hours}, otherwise: ${otherwise} }\n`;
  await writeFile(series.file, text.replace('  rows: trips\n', `  rows: trips\n${completeness}`));
  return series;
}

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
  expect(correctionCommand(run, changes)).toContain('--partition bus/2026-03-03 bus/2026-03-04 --reason');

  // Two people at once: one decision is taken, the other one gets an answer.
  const both = ['approve', 'reject'] as const;
  const answers = await Promise.all(both.map((decision) => decideSmall(stack.client, series, run, decision)));
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  const ended = await reaches(stack.client, run, ['published', 'rejected']);
  expect(ended.state).toBe(answers[0]!.accepted ? 'published' : 'rejected');
});

test('when the time is over, what is missing becomes named holes, or holds back its partitions', async () => {
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
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
});

test('a wait can be cancelled, and costs nothing', async () => {
  await writeSmallTrips(stack.source);
  await lose('2026-03-02');
  const run = await startSmall(stack.client, await waiting('cancelled', 1, 'fail'));
  await reaches(stack.client, run, ['waiting-for-objects']);
  expect(await stack.client.ask(run, 'cancel', ask)).toMatchObject({ accepted: true });
  expect(await reaches(stack.client, run, ['cancelled'])).toMatchObject({ charge: null });
});
