import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { approvable, approveTogether, backfillVerdicts } from '../../client/schedule/approve-backfill.ts';
import { askBackfill, backfillStatus, planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { planTrigger, triggerWindow } from '../../client/schedule/trigger-window.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import { ERRORS } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, QUEUES, type ReleaseReference, releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import type { ChildProcess } from '../../stack/child-process.ts';
import { until } from '../observe/scrape.fixture.ts';
import { type SmallSeries, smallKey } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { weeks, writeWeeklySeries, writeWeeklyTrips } from '../support/weekly-series.ts';
import { change, copyTree, startTreeWorker } from '../upgrade/other-build.fixture.ts';
import { block } from './blocked-store.fixture.ts';
import { terminated } from './terminated-release.fixture.ts';

const WINDOWS = weeks(7);
const AT_ONCE = 3;
const [RAN_BEFORE, BROKEN] = [WINDOWS[2]!, WINDOWS[4]!];
const SPAN = { from: WINDOWS[0]!, to: addDays(WINDOWS.at(-1)!, 6), atOnce: AT_ONCE };

let stack: TestStack;
let series: SmallSeries;
let id: string;
let impatient: ChildProcess | undefined;
const release = (window: string): ReleaseReference => ({ series: 'small', window, version: 1 });

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeWeeklySeries(join(stack.root, 'small'));
  await writeWeeklyTrips(stack.source, WINDOWS);
  await rm(join(stack.source, smallKey(BROKEN, 'bus')));
  await applySeries(stack.client, await loadSeriesFile(series.file));
  await triggerWindow(stack.client, await planTrigger(stack.client, 'small', RAN_BEFORE));
  await reaches(stack.client, release(RAN_BEFORE), ['waiting']);
});
afterAll(async () => {
  await impatient?.stop();
  await stack?.end();
});

/** Asks a few times a second, and gives the most releases that were at work at once. */
async function watch(until: (states: string[]) => boolean, seconds = 100): Promise<number> {
  let most = 0;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(150)) {
    const states = (await backfillStatus(stack.client, id)).windows.map(({ state }) => state);
    most = Math.max(most, states.filter((state) => state === 'running').length);
    if (until(states)) return most;
  }
  throw new Error(`not there: ${JSON.stringify(await backfillStatus(stack.client, id))}`);
}

test('the plan says what is charged, leaves alone what has run, and refuses what is over a cap', async () => {
  const plan = await planBackfill(stack.client, 'small', SPAN);
  expect(plan.backfill.windows.filter(({ state }) => state === 'started-before')).toEqual([
    { window: RAN_BEFORE, state: 'started-before' },
  ]);
  expect(plan.ledger).toMatchObject({ total: { epsilon: '48' }, firstRefused: null });
  const dear = await writeWeeklySeries(join(stack.root, 'dear'), {
    series: 'dear',
    population: 'dear-riders',
    yearEpsilon: '40',
  });
  await applySeries(stack.client, await loadSeriesFile(dear.file));
  const refused = await planBackfill(stack.client, 'dear', SPAN);
  expect(refused.ledger.firstRefused).toBe(`dear/${WINDOWS[5]}/v1`);
  await expect(startBackfill(stack.client, refused)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  const options = ['--from', SPAN.from, '--to', SPAN.to, '--dry-run', '--json'];
  const deployment = stack.files.deployment('client');
  const dry = await run(['schedule', 'backfill', 'dear', ...options], { cwd: stack.root, deployment });
  expect(dry).toMatchObject({ code: ERRORS.BUDGET_EXCEEDED.exit, stdout: expect.stringContaining('"firstRefused"') });
});

test('seven windows, three at once: each is released once, and whoever waits for people frees a slot', async () => {
  id = await startBackfill(stack.client, await planBackfill(stack.client, 'small', SPAN));
  expect(id).toBe(`small/${WINDOWS[0]}..${WINDOWS.at(-1)}`);
  await expect(startBackfill(stack.client, await planBackfill(stack.client, 'small', SPAN))).rejects.toMatchObject({
    code: 'RELEASE_EXISTS',
  });

  // At the first release at work: the slots that waiting releases free would soon have started every window.
  let most = await watch((states) => states.includes('running'));
  expect(await askBackfill(stack.client, id, 'pause')).toBe('paused');
  await expect(askBackfill(stack.client, id, 'pause')).rejects.toMatchObject({ code: 'ACTION_NOT_OFFERED' });
  await watch((states) => !states.includes('running'));
  const paused = await backfillStatus(stack.client, id);
  await delay(1000);
  expect(await backfillStatus(stack.client, id)).toEqual(paused);
  expect(paused.windows.some(({ state }) => state === 'to-do')).toBe(true);

  await askBackfill(stack.client, id, 'resume');
  most = Math.max(most, await watch((states) => states.every((state) => state !== 'to-do' && state !== 'running')));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  const states = (await backfillStatus(stack.client, id)).windows;
  expect(states).toEqual(
    WINDOWS.map((window) => ({
      window,
      state: window === RAN_BEFORE ? 'started-before' : window === BROKEN ? 'partitions-failed' : 'waiting',
    })),
  );
  expect((await stack.client.list()).map(releasePath).sort()).toEqual(WINDOWS.map((one) => releasePath(release(one))));
});

test('its releases leave to others the places that people wait for', async () => {
  const queueOf = async (window: string, activity: string) => {
    const handle = stack.client.temporal.workflow.getHandle(releaseWorkflowId(release(window)));
    const { events } = await handle.fetchHistory();
    const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    return scheduled.find(({ activityType }) => activityType?.name === activity)?.taskQueue?.name;
  };
  for (const [window, queues] of [
    [WINDOWS[1]!, QUEUES.patient],
    [RAN_BEFORE, QUEUES.usual],
  ] as const) {
    expect(await queueOf(window, 'bin')).toBe(queues.heavy.private);
    expect(await queueOf(window, 'privatize')).toBe(queues.light.private);
  }
});

test('it continues as new, and each of its histories is short', async () => {
  const { workflow } = stack.client.temporal;
  const runs: { status: string; historyLength: number }[] = [];
  for await (const { runId } of workflow.list({ query: `WorkflowId = '${backfillWorkflowId(id)}'` })) {
    const { status, historyLength } = await workflow.getHandle(backfillWorkflowId(id), runId).describe();
    runs.push({ status: status.name, historyLength });
  }
  expect(runs.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'CONTINUED_AS_NEW']);
  for (const { historyLength } of runs) expect(historyLength).toBeLessThan(300);
});

test('one signature approves every release with verdict pass; one with a hole is left to be approved by itself', async () => {
  await stack.client.ask(release(BROKEN), 'abandonPartitions', { partitions: [], subject: 'test' });
  const hole = await reaches(stack.client, release(BROKEN), ['waiting', 'failed']);
  expect(hole.verdict).toBe('attention');
  const releases = approvable(await backfillVerdicts(stack.client, id));
  expect(releases.map(({ window }) => window)).toEqual(WINDOWS.filter((window) => window !== BROKEN));

  await writeFile(join(stack.root, 'me.pem'), series.key.privateKey);
  const deployment = { cwd: stack.root, deployment: stack.files.deployment('client') };
  const approval = await run(['approve', '--backfill', id, '--key', 'me.pem', '--reason', 'read them all'], deployment);
  expect(approval).toMatchObject({ code: 0, stderr: '' });
  expect(approval.stdout).toContain('6 of 7 wait at the gate with verdict pass');
  expect(approval.stdout).toContain('Your approval of 6 releases is recorded.');
  for (const one of releases) await reaches(stack.client, one, ['published', 'failed']);
  for (const one of [releases[0]!, releases.at(-1)!]) {
    const report = await verifyPublication(join(stack.files.publication, releasePath(one)));
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  }
  const signed = { privateKey: series.key.privateKey, note: 'not read' };
  expect(await approveTogether(stack.client, [release(BROKEN)], signed)).toMatchObject([
    { answer: { accepted: false, code: 'ATTENTION_NOT_ACKNOWLEDGED' } },
  ]);
  expect(approvable(await backfillVerdicts(stack.client, id))).toEqual([]);
});

test('a cancelled back-fill starts no more, and another one takes up what it left', async () => {
  const later = weeks(4, '2026-06-01');
  await writeWeeklyTrips(stack.source, later);
  const span = { from: later[0]!, to: '2026-06-28', atOnce: 1 };
  id = await startBackfill(stack.client, await planBackfill(stack.client, 'small', span));
  await watch((states) => states.includes('running'));
  expect(await askBackfill(stack.client, id, 'cancel')).toBe('cancelled');
  expect((await backfillStatus(stack.client, id)).state).toBe('cancelled');
  await expect(askBackfill(stack.client, id, 'resume')).rejects.toMatchObject({ code: 'RELEASE_UNKNOWN' });
  await reaches(stack.client, release(later[0]!), ['waiting']);
  const rest = await planBackfill(stack.client, 'small', span);
  expect(rest.backfill.windows.map(({ state }) => state)).toEqual(['started-before', 'to-do', 'to-do', 'to-do']);
});

test('a release that is terminated in Temporal frees its slot, and its window is named', { tags: 'soak' }, async () => {
  // The workers' code, but that it looks more often.
  const tree = await copyTree(stack.root);
  await change(tree, 'workflows/backfill.workflow.ts', "'10 minutes'", "'2 seconds'");
  impatient = await startTreeWorker(tree, stack.files.deployment('public'), stack.files.log('impatient'));
  const [cut, next] = weeks(2, '2026-07-06').map(release);
  await block(stack.files.store('private'), PRIVATE_KEYS.inventory(cut!, 0));
  const span = { from: cut!.window, to: addDays(next!.window, 6), atOnce: 1 };
  id = await startBackfill(stack.client, await planBackfill(stack.client, 'small', span));
  await terminated(stack.client, cut!);
  await watch((states) => states.every((state) => state !== 'to-do' && state !== 'running'));
  // The other window has no objects: people decide about it.
  expect((await backfillStatus(stack.client, id)).windows.map(({ state }) => state)).toEqual([
    'ended-outside',
    'partitions-failed',
  ]);
  const shown = await run(['backfill', 'show', id], { cwd: stack.root, deployment: stack.files.deployment('client') });
  expect(shown.stdout).toContain(`${releasePath(cut!)} was ended outside Opaline`);
  expect((await backfillVerdicts(stack.client, id)).map(({ state }) => state)).toContain('ended-outside');
  await expect(stack.client.status(cut!)).rejects.toMatchObject({ code: 'RELEASE_ENDED_OUTSIDE' });
  const listed = await until(
    () => stack.client.list(),
    (all) => all.some((one) => one.window === cut!.window && one.state === 'ended-outside'),
    30,
  );
  expect(listed.map(({ state }) => state)).toContain('ended-outside');
});
