import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processUse } from '../../bench/throughput/process-use.ts';
import { approvable, approveTogether, backfillVerdicts } from '../../client/schedule/approve-backfill.ts';
import { backfillStatus, planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { weeks, writeWideSeries, writeWideTrips } from '../support/weekly-series.ts';

/** Five years of weeks; OPALINE_SOAK_WINDOWS names fewer, at least ten. */
const WINDOWS = weeks(Number(process.env.OPALINE_SOAK_WINDOWS ?? 260), '2020-01-06');
const AT_ONCE = 4;
/** The most resident memory of each process at any moment: hundreds of releases wait at their gates beside each other. */
const MEMORY_MIB = 1_500;
/** The most that memory may grow from a tenth of the windows to the end. */
const GROWTH = 2;
/** The most that a window of the second half may take, of the time of one of the first half, on a busy machine. */
const SLOWER = 2;
/** Longest histories: of a release at its gate (five events a partition are plenty), and of a run of the backfill. */
const RELEASE_HISTORY = { events: 400, bytes: 400_000 };
const BACKFILL_HISTORY = { events: 500, bytes: 1_000_000 };

/** What was seen when `windows` windows of the backfill had come to their gates. */
type Sample = { windows: number; seconds: number; residentMiB: Record<string, number> };

function sampleOf(windows: number, since: number): Sample {
  const pids = { ...stack.workers(), server: stack.server() };
  const memory = Object.entries(pids).map(([name, pid]) => [name, processUse(pid).residentMiB]);
  return { windows, seconds: (performance.now() - since) / 1000, residentMiB: Object.fromEntries(memory) };
}

/** The first sample with so large a part of the windows done. */
const sampleAt = (samples: readonly Sample[], part: number): Sample =>
  samples.find(({ windows }) => windows >= part * samples.at(-1)!.windows)!;

/** Seconds a window took in a part of the backfill. */
function secondsPerWindow(samples: readonly Sample[], from: number, to: number): number {
  const [first, last] = [sampleAt(samples, from), sampleAt(samples, to)];
  return (last.seconds - first.seconds) / Math.max(1, last.windows - first.windows);
}

let stack: TestStack;
let series: SmallSeries;
let id: string;

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeWideSeries(join(stack.root, 'wide'));
  await writeWideTrips(stack.source, WINDOWS);
  await applySeries(stack.client, await loadSeriesFile(series.file));
}, 600_000);
afterAll(() => stack?.end());

/** Watches the backfill until it is done: a sample whenever another window has come to its gate. */
async function watch(): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const since = performance.now(); ; await delay(500)) {
    const { state, windows } = await backfillStatus(stack.client, id);
    expect(windows.filter((one) => one.state === 'running').length).toBeLessThanOrEqual(AT_ONCE);
    const waiting = windows.filter((one) => one.state === 'waiting').length;
    const sample = sampleOf(waiting, since);
    for (const memory of Object.values(sample.residentMiB)) expect(memory).toBeLessThan(MEMORY_MIB);
    if (waiting > (samples.at(-1)?.windows ?? 0)) samples.push(sample);
    if (state === 'done') return samples;
  }
}

type HistoryLength = { events: number; bytes: number };

async function longest(client: WorkflowClient, runs: { workflowId: string; runId?: string }[]): Promise<HistoryLength> {
  const length = { events: 0, bytes: 0 };
  for (const { workflowId, runId } of runs) {
    const { historyLength, historySize } = await client.getHandle(workflowId, runId).describe();
    length.events = Math.max(length.events, historyLength);
    length.bytes = Math.max(length.bytes, historySize ?? 0);
  }
  return length;
}

test(`${WINDOWS.length} windows of 28 partitions run in bounded history and memory, and one signature publishes them`, async () => {
  const span = { from: WINDOWS[0]!, to: addDays(WINDOWS.at(-1)!, 6), atOnce: AT_ONCE };
  id = await startBackfill(stack.client, await planBackfill(stack.client, 'wide', span));
  const samples = await watch();
  const { workflow } = stack.client.temporal;
  const runs: { workflowId: string; runId: string }[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: `WorkflowId = '${backfillWorkflowId(id)}'` }))
    runs.push({ workflowId, runId });
  const releaseRuns = WINDOWS.map((window) => ({
    workflowId: releaseWorkflowId({ series: 'wide', window, version: 1 }),
  }));
  const backfillHistory = await longest(workflow, runs);
  const releaseHistory = await longest(workflow, releaseRuns);

  expect(runs.length).toBeGreaterThanOrEqual(WINDOWS.length / 10);
  expect(backfillHistory.events).toBeLessThan(BACKFILL_HISTORY.events);
  expect(backfillHistory.bytes).toBeLessThan(BACKFILL_HISTORY.bytes);
  expect(releaseHistory.events).toBeLessThan(RELEASE_HISTORY.events);
  expect(releaseHistory.bytes).toBeLessThan(RELEASE_HISTORY.bytes);
  // Caches are filled when a tenth is done.
  const [begin, end] = [sampleAt(samples, 0.1), samples.at(-1)!];
  for (const [name, memory] of Object.entries(end.residentMiB))
    expect(memory, `memory of ${name}`).toBeLessThan(GROWTH * begin.residentMiB[name]!);
  expect(secondsPerWindow(samples, 0.5, 1)).toBeLessThan(SLOWER * secondsPerWindow(samples, 0, 0.5));

  const verdicts = await backfillVerdicts(stack.client, id);
  const releases = approvable(verdicts);
  expect(verdicts.filter(({ release }) => !releases.includes(release))).toEqual([]);
  expect(releases).toHaveLength(WINDOWS.length);
  const signed = { privateKey: series.key.privateKey, note: 'read them all' };
  for (const { answer } of await approveTogether(stack.client, releases, signed)) expect(answer.accepted).toBe(true);
  for (;;) {
    const states = (await stack.client.list()).map(({ state }) => state);
    if (states.every((state) => state === 'published')) break;
    expect(states).not.toContain('failed');
    await delay(2000);
  }
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  const kinds = entries.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'reserve')).toHaveLength(WINDOWS.length);
  expect(kinds.filter((kind) => kind === 'commit')).toHaveLength(WINDOWS.length);
});
