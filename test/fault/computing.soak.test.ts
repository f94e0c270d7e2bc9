import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import type { Stage } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { FORTNIGHT, writeFortnightSeries, writeFortnightTrips } from '../scale/fortnight.fixture.ts';
import { childrenOf } from '../scale/stage-watch.fixture.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';

/** What people and systems ask of a stack while a stage computes. One heavy activity at a time, so that turns show. */
let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    return { ...usual, private: { ...usual.private, concurrency: 1 } };
  });
  series = await writeFortnightSeries(join(stack.root, 'fortnight'));
  await writeFortnightTrips(stack.source, 1_000_000);
});
afterAll(() => stack?.end());

const start = async (version: number): Promise<Run> =>
  startRelease(stack.client, await planRun(stack.client, series.file, FORTNIGHT, version));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits until none of the processes lives any more; gives the milliseconds, or fails after ten seconds. */
async function allGone(pids: readonly number[]): Promise<number> {
  const begin = performance.now();
  while (pids.some(isAlive)) {
    if (performance.now() - begin > 10_000) throw new Error('a process outlived what it worked for');
    await delay(20);
  }
  return performance.now() - begin;
}

/** Waits until the release is in the stage. */
async function comesTo(run: Run, stage: Stage): Promise<void> {
  for (let waited = 0; waited < 1200; waited += 1) {
    if ((await stack.client.status(run)).stage === stage) return;
    await delay(50);
  }
  throw new Error(`it never came to ${stage}`);
}

test('a cancelled month frees its turn: what computed is ended, and the next release begins', async () => {
  const first = await start(1);
  await comesTo(first, 'bin');
  await delay(500);
  const next = await start(2); // waits for the only turn
  const computing = await childrenOf(stack.workers().private!);
  await stack.client.ask(first, 'cancel', { subject: 'test' });
  await reaches(stack.client, first, ['cancelled']);
  await comesTo(next, 'bin');
  const now = await childrenOf(stack.workers().private!);
  expect(computing.filter((pid) => !now.includes(pid))).toHaveLength(1);
  expect((await stack.client.status(first)).partitions.every(({ state }) => state !== 'drawn')).toBe(true);
  await stack.client.ask(next, 'cancel', { subject: 'test' });
  await reaches(stack.client, next, ['cancelled']);
}, 300_000);

test('SIGTERM ends a worker and all that computes for it, and its successor goes on', async () => {
  const run = await start(3);
  await comesTo(run, 'bin');
  await delay(500);
  const worker = stack.workers().private!;
  const family = [worker, ...(await childrenOf(worker))];
  expect(family.length).toBeGreaterThan(1);
  process.kill(worker, 'SIGTERM');
  expect(await allGone(family)).toBeLessThan(10_000); // two seconds of grace, three until it goes by force
  await comesTo(run, 'privatize');
  await stack.client.ask(run, 'cancel', { subject: 'test' });
  await reaches(stack.client, run, ['cancelled']);
}, 300_000);

test('an action that is asked while the public worker is away is answered by its successor, and done once', async () => {
  const run = await start(4);
  await comesTo(run, 'bin');
  const asked = stack.client.ask(run, 'cancel', { subject: 'test' });
  process.kill(stack.workers().public!, 'SIGKILL');
  expect(await asked).toMatchObject({ accepted: true });
  await reaches(stack.client, run, ['cancelled']);
}, 300_000);
