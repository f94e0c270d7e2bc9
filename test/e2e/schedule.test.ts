import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msNumberToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { listSchedules } from '../../client/schedule/schedule-lines.ts';
import { temporalOptions } from '../../client/schedule/schedule-settings.ts';
import {
  applySchedule,
  pauseSchedule,
  planSchedule,
  removeSchedule,
  resumeSchedule,
} from '../../client/schedule/schedules.ts';
import { planTrigger, triggerWindow } from '../../client/schedule/trigger-window.ts';
import { type ReleaseReference, releasePath, sourceCheckWorkflowId } from '../../contracts/names.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import type { SourceChanges } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import type { TapsSeries } from '../../kinds/taps/series.ts';
import { listOverdue, listStarts, type ScheduledSeries, windowAt } from '../../services/calendar/schedule-times.ts';
import { decideSmall } from '../support/releases.ts';
import { type SmallSeries, smallKey, smallTrips, writeTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { weeks, writeWeeklySeries, writeWeeklyTrips } from '../support/weekly-series.ts';

let stack: TestStack;
let series: SmallSeries;
const WINDOWS = weeks(3);
const release = (window: string): ReleaseReference => ({ series: 'small', window, version: 1 });

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeWeeklySeries(join(stack.root, 'small'));
  await writeWeeklyTrips(stack.source, WINDOWS);
});
afterAll(() => stack?.end());

const changed = async () => (await planSchedule(stack.client, series.file)).changes.map(({ field }) => field);
const lines = () =>
  vi.waitFor(async () => {
    const [line] = await listSchedules(stack.client);
    expect(line).toBeDefined();
    return line!;
  }, 240_000);

test('applying shows what changes, and applying again changes nothing', async () => {
  const plan = await planSchedule(stack.client, series.file);
  expect(plan.isNew).toBe(true);
  expect(plan.changes.map(({ field }) => field)).toContain('schedule in Temporal.time');
  // Two people at once make one schedule.
  await Promise.all([applySchedule(stack.client, plan), applySchedule(stack.client, plan)]);
  expect(await changed()).toEqual([]);
  await applySchedule(stack.client, await planSchedule(stack.client, series.file));
  expect(await changed()).toEqual([]);
  expect(await lines()).toMatchObject({ series: 'small', paused: false, missing: [], lateSeconds: null, inStep: true });
});

test('a changed file is named field by field, and updates the schedule in place', async () => {
  const text = await readFile(series.file, 'utf8');
  await writeFile(series.file, text.replace('"06:00"', '"07:30"'));
  expect(await planSchedule(stack.client, series.file)).toMatchObject({
    isNew: false,
    changes: [
      { field: 'schedule in Temporal.time', before: '"06:00"', after: '"07:30"' },
      { field: 'schedule.time', before: '"06:00"', after: '"07:30"' },
    ],
  });
  await applySchedule(stack.client, await planSchedule(stack.client, series.file));
  expect(await changed()).toEqual([]);
  await writeFile(series.file, text);
  await applySchedule(stack.client, await planSchedule(stack.client, series.file));
  const next = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Australia/Sydney',
    weekday: 'long',
    timeStyle: undefined,
    hour: '2-digit',
    minute: '2-digit',
  });
  expect(next.format(new Date((await lines()).next!))).toMatch(/Friday.*06:00/);
});

test('a time that the clock jumps over is refused, with the day', async () => {
  const night = await writeWeeklySeries(
    join(stack.root, 'night'),
    { series: 'night' },
    'schedule: { weekday: sunday, time: "02:30" }',
  );
  await expect(planSchedule(stack.client, night.file, new Date('2026-01-01'))).rejects.toThrow('2026-10-04');
});

/** Lets the schedule act on the scheduled times of a span that is past. */
const passed = (start: string, end: string) =>
  stack.client.temporal.schedule
    .getHandle(scheduleId('small'))
    .backfill({ start: new Date(start), end: new Date(end), overlap: 'ALLOW_ALL' });

test('a triggered, a manual and a scheduled run of one window are one release, and an open gate drops none', async () => {
  const plan = await planTrigger(stack.client, 'small', WINDOWS[0]!);
  expect(plan).toMatchObject({ isThere: false, ledger: { total: { epsilon: '8' }, firstRefused: null } });
  expect(await triggerWindow(stack.client, plan)).toEqual({ ...release(WINDOWS[0]!), started: true });
  await reaches(stack.client, release(WINDOWS[0]!), ['waiting']);
  expect(await planTrigger(stack.client, 'small', WINDOWS[0]!)).toMatchObject({ isThere: true });
  // The plan of somebody who asked before the start is late, and harmless.
  expect((await triggerWindow(stack.client, plan)).started).toBe(false);
  const manual = await planRun(stack.client, series.file, WINDOWS[0]!, 1);
  await expect(startRelease(stack.client, manual)).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });

  // Three Fridays at 06:00 in Sydney, while the first gate is open.
  await passed('2026-03-05T00:00:00Z', '2026-03-21T00:00:00Z');
  for (const window of WINDOWS.slice(1)) {
    await vi.waitFor(() => stack.client.status(release(window)), { timeout: 120_000, interval: 200 });
    await reaches(stack.client, release(window), ['waiting']);
  }
  await passed('2026-03-05T00:00:00Z', '2026-03-21T00:00:00Z');
  await vi.waitFor(async () => {
    const starters = stack.client.temporal.workflow.list({ query: "WorkflowType = 'scheduledReleaseWorkflow'" });
    const states: string[] = [];
    for await (const { status } of starters) states.push(status.name);
    expect(states).toEqual(states.map(() => 'COMPLETED'));
    expect(states.length).toBeGreaterThanOrEqual(3);
  }, 240_000);
  const releases = (await stack.client.list()).map(releasePath);
  expect(releases.sort()).toEqual(WINDOWS.map((window) => releasePath(release(window))));
});

test('@contract C13: each start looks again at the sources of what is public, by names', async () => {
  const [first] = WINDOWS as [string];
  const started = { ...release(first), seriesDigest: (await stack.client.status(release(first))).seriesDigest };
  await decideSmall(stack.client, series, started, 'approve');
  await reaches(stack.client, started, ['published']);
  const looks = async () => {
    await passed('2026-03-19T00:00:00Z', '2026-03-21T00:00:00Z');
    return vi.waitFor(async () => {
      const handle = stack.client.temporal.workflow.getHandle(sourceCheckWorkflowId(started));
      return (await handle.result()) as SourceChanges;
    }, 240_000);
  };
  expect(await looks()).toEqual({ changed: [], total: 0 });
  await writeTrips(stack.source, first, 'bus', smallTrips(first, 'bus').replaceAll('stop-2', 'stop-1'));
  await vi.waitFor(async () => expect((await looks()).total).toBe(1), 120_000);
  const [changed] = (await looks()).changed;
  expect(changed).toMatchObject({ object: smallKey(first, 'bus'), change: 'replaced' });
  expect(changed!.partitions).toContainEqual({ part: 'bus', day: first });
});

test('a window cannot be triggered off the grid, or before it is complete', async () => {
  await expect(planTrigger(stack.client, 'small', '2026-03-03')).rejects.toMatchObject({ code: 'WINDOW_INVALID' });
  const early = planTrigger(stack.client, 'small', '2026-03-30', new Date('2026-04-01T00:00:00Z'));
  await expect(early).rejects.toMatchObject({ code: 'WINDOW_INVALID' });
});

test('windows that were due and have no release are missing', async () => {
  const { loaded } = await planSchedule(stack.client, series.file);
  const missing = listOverdue(
    loaded.series,
    new Date('2026-03-05T00:00:00Z'),
    new Date('2026-03-27T00:00:00Z'),
    new Set(WINDOWS),
  );
  expect(missing).toEqual([{ window: '2026-03-23', scheduledAt: '2026-03-26T19:00:00Z' }]);
});

test('the command line applies, lists and triggers', { tags: 'soak' }, async () => {
  const opaline = (...words: string[]) =>
    run([...words, '--json'], { cwd: stack.root, deployment: stack.files.deployment('client') });
  const applied = await opaline('schedule', 'apply', series.file, '--yes');
  const same = { schedules: [{ series: 'small', isNew: false, changes: [] }], applied: false };
  expect(JSON.parse(applied.stdout)).toEqual(same);
  const later = join(dirname(series.file), 'later.yaml');
  await writeFile(later, (await readFile(series.file, 'utf8')).replace('"06:00"', '"07:30"'));
  const dry = JSON.parse((await opaline('schedule', 'apply', later, '--dry-run')).stdout);
  expect(dry.schedules[0].changes).toHaveLength(2);
  expect([dry.applied, await changed()]).toEqual([false, []]);
  const twice = await opaline('schedule', 'apply', series.file, later);
  expect([twice.code, JSON.parse(twice.stderr).code, await changed()]).toEqual([2, 'USAGE', []]);
  const listed = await opaline('schedule', 'list');
  expect(JSON.parse(listed.stdout)).toMatchObject({ schedules: [{ series: 'small', missing: [] }] });
  const triggered = await opaline('schedule', 'trigger', 'small', '--window', WINDOWS[0]!);
  expect(JSON.parse(triggered.stdout)).toEqual({ ...release(WINDOWS[0]!), started: false });
  expect([applied.code, listed.code, triggered.code]).toEqual([0, 0, 0]);
});

test('a schedule is paused, resumed and removed; what it released stays', async () => {
  await pauseSchedule(stack.client, 'small', 'the supplier moves house');
  expect(await lines()).toMatchObject({ paused: true, note: 'the supplier moves house', next: null });
  await resumeSchedule(stack.client, 'small');
  expect(await lines()).toMatchObject({ paused: false, note: null, next: expect.stringMatching(/Z$/) });
  await removeSchedule(stack.client, 'small');
  await expect(pauseSchedule(stack.client, 'small', '')).rejects.toMatchObject({ code: 'USAGE' });
  expect((await stack.client.status(release(WINDOWS[1]!))).state).toBe('waiting');
});

describe('ten years of starts', () => {
  type Weekly = NonNullable<TapsSeries['schedule']>;
  type WeeklySeries = ScheduledSeries & { schedule: Weekly };

  const TEN_YEARS = ['2026-01-01T00:00:00Z', '2036-01-01T00:00:00Z'] as const;

  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: stack.address });
  });
  afterAll(() => connection?.close());

  /** The times of ten years at which the server would start the series, as the server says. */
  async function timesOfServer(series: WeeklySeries) {
    const scheduleId = 'asked';
    const options = { scheduleId, ...temporalOptions(series), state: { paused: true } };
    const schedule = await stack.client.temporal.schedule.create(options);
    const [start, end] = TEN_YEARS;
    const { startTime } = await connection.workflowService.listScheduleMatchingTimes({
      namespace: 'default',
      scheduleId,
      startTime: msNumberToTs(Date.parse(start)),
      endTime: msNumberToTs(Date.parse(end)),
    });
    await schedule.delete();
    return startTime.map((time) => new Date(tsToMs(time)).toISOString().replace('.000', ''));
  }

  const weekly = (timeZone: string, weekday: Weekly['weekday'], time: string): WeeklySeries => ({
    series: 'asked',
    timeZone,
    day: { starts: '00:00', ends: '24:00' },
    window: { days: 7, firstWeekday: 'monday', lagDays: 0 },
    schedule: { weekday, time },
  });

  test.each([
    ['Australia/Sydney', 'friday', '06:00'],
    ['Australia/Sydney', 'sunday', '03:00'], // the clock jumps from two to three
    ['Europe/London', 'sunday', '23:45'],
    ['America/New_York', 'monday', '00:00'],
  ] as const)(
    'ten years in %s, %s at %s: the server starts when we say, one window after the other',
    async (timeZone, weekday, time) => {
      const series = weekly(timeZone, weekday, time);
      const times = await timesOfServer(series);
      expect(times).toEqual(listStarts(series, ...TEN_YEARS));
      const windows = times.map((time) => windowAt(series, time));
      expect(windows.length).toBeGreaterThanOrEqual(521);
      expect(windows).toEqual(windows.map((_, week) => addDays(windows[0]!, 7 * week)));
    },
  );

  test.each([
    ['Australia/Sydney', 'sunday', '02:30'], // this one is jumped over, too
    ['Australia/Lord_Howe', 'sunday', '01:45'], // the clock goes back by half an hour
    ['Europe/London', 'sunday', '01:30'],
    ['America/New_York', 'sunday', '01:30'],
  ] as const)(
    'ten years in %s, %s at %s, which the clock shows twice: each window starts, at the latest when we say',
    async (timeZone, weekday, time) => {
      const series = weekly(timeZone, weekday, time);
      const firstStarts = new Map<string, string>();
      for (const start of await timesOfServer(series)) {
        const window = windowAt(series, start);
        if (!firstStarts.has(window)) firstStarts.set(window, start); // a second one finds the release there
      }
      const due = listStarts(series, ...TEN_YEARS);
      expect([...firstStarts.keys()]).toEqual(due.map((moment) => windowAt(series, moment)));
      const minutes = due.map((moment, week) => {
        return (Date.parse(moment) - Date.parse([...firstStarts.values()][week]!)) / 60_000;
      });
      expect(minutes.filter((late) => ![0, 30, 60].includes(late))).toEqual([]);
    },
  );
});
