import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applySchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { releasePath } from '../../contracts/names.ts';
import { type ScheduledRelease, scheduleId } from '../../contracts/schedule.ts';
import { listStarts } from '../../services/calendar/schedule-times.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { weeks, writeWeeklySeries } from '../support/weekly-series.ts';

// Ten years that are over: a schedule acts on the times of a span when it is told to.
const TEN_YEARS = ['2016-01-01T00:00:00Z', '2026-01-01T00:00:00Z'] as const;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack?.end());

/** What the starters did that have ended. */
async function starters(): Promise<ScheduledRelease[]> {
  const { workflow } = stack.client.temporal;
  const query = "WorkflowType = 'scheduledReleaseWorkflow' AND ExecutionStatus = 'Completed'";
  const ended: ScheduledRelease[] = [];
  for await (const { workflowId, runId } of workflow.list({ query }))
    ended.push(await workflow.getHandle(workflowId, runId).result());
  return ended;
}

test('ten years of weekly starts give exactly one release for each window, and a second pass gives none', async () => {
  const { file } = await writeWeeklySeries(join(stack.root, 'small'));
  const plan = await planSchedule(stack.client, file);
  await applySchedule(stack.client, plan);
  const count = listStarts(plan.series, ...TEN_YEARS).length;
  const windows = weeks(count, '2016-01-04');
  const span = { start: new Date(TEN_YEARS[0]), end: new Date(TEN_YEARS[1]) };
  for (const pass of [1, 2]) {
    const schedule = stack.client.temporal.schedule.getHandle(scheduleId('small'));
    await schedule.backfill({ ...span, overlap: 'ALLOW_ALL' });
    const all = async () => expect((await starters()).length).toBe(pass * count);
    await vi.waitFor(all, { timeout: 1_200_000, interval: 2000 });
  }
  const ended = await starters();
  const started = ended.filter((starter) => starter.started).map(({ window }) => window);
  expect(started.sort()).toEqual(windows);
  expect(ended.map(({ window }) => window).sort()).toEqual(windows.flatMap((window) => [window, window]));
  const releases = (await stack.client.list()).map(releasePath);
  expect(releases.sort()).toEqual(windows.map((window) => releasePath({ series: 'small', window, version: 1 })));
});
