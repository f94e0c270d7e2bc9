import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/public/ledger.ts';
import { applySeries } from '../../client/apply-series.ts';
import { approvable, approveTogether, backfillVerdicts } from '../../client/approve-backfill.ts';
import { backfillStatus, planBackfill, startBackfill } from '../../client/backfills.ts';
import { loadSeriesFile } from '../../client/series-file.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { weeks, writeWideSeries, writeWideTrips } from '../support/weekly-series.ts';

const WINDOWS = weeks(260, '2020-01-06');
const AT_ONCE = 4;
/** Most memory that the public worker may ever have held: hundreds of releases wait at their gates beside each other. */
const MEMORY_MIB = 1_500;

let stack: TestStack;
let series: SmallSeries;
let id: string;

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeWideSeries(join(stack.root, 'wide'));
  await writeWideTrips(stack.source, WINDOWS);
  await applySeries(stack.client.releaseStore, await loadSeriesFile(series.file));
}, 600_000);
afterAll(() => stack?.end());

/** Peak resident memory of a process in MiB, as Linux tells it; null elsewhere. */
async function peakMemory(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(status);
  return match ? Number(match[1]) / 1024 : null;
}

test('260 windows of 28 partitions run in bounded history and memory, and one signature publishes them', async () => {
  const span = { from: WINDOWS[0]!, to: addDays(WINDOWS.at(-1)!, 6), atOnce: AT_ONCE };
  id = await startBackfill(stack.client, await planBackfill(stack.client, 'wide', span));
  for (;;) {
    const { state, windows } = await backfillStatus(stack.client, id);
    expect(windows.filter((one) => one.state === 'running').length).toBeLessThanOrEqual(AT_ONCE);
    if (state === 'done') break;
    await delay(2000);
  }
  const { workflow } = stack.client.temporal;
  let runs = 0;
  for await (const { runId } of workflow.list({ query: `WorkflowId = '${backfillWorkflowId(id)}'` })) {
    const { historyLength, historySize } = await workflow.getHandle(backfillWorkflowId(id), runId).describe();
    expect(historyLength).toBeLessThan(500);
    expect(historySize ?? 0).toBeLessThan(1_000_000);
    runs += 1;
  }
  expect(runs).toBeGreaterThanOrEqual(WINDOWS.length / 10);
  expect((await peakMemory(stack.workers().public)) ?? 0).toBeLessThan(MEMORY_MIB);

  const releases = approvable(await backfillVerdicts(stack.client, id));
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
