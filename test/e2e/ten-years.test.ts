import { Connection } from '@temporalio/client';
import { msNumberToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScheduledSeries, scheduledTimes, scheduledWindow } from '../../activities/calendar/scheduled-window.ts';
import { temporalOptions } from '../../client/schedule/schedule-settings.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import type { TapsSeries } from '../../kinds/taps/series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

type Weekly = NonNullable<TapsSeries['schedule']>;
type WeeklySeries = ScheduledSeries & { schedule: Weekly };

const TEN_YEARS = ['2026-01-01T00:00:00Z', '2036-01-01T00:00:00Z'] as const;

let stack: TestStack;
let connection: Connection;
beforeAll(async () => {
  stack = await startTestStack();
  connection = await Connection.connect({ address: stack.address });
});
afterAll(async () => {
  await connection?.close();
  await stack?.end();
});

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
    expect(times).toEqual(scheduledTimes(series, ...TEN_YEARS));
    const windows = times.map((time) => scheduledWindow(series, time));
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
      const window = scheduledWindow(series, start);
      if (!firstStarts.has(window)) firstStarts.set(window, start); // a second one finds the release there
    }
    const due = scheduledTimes(series, ...TEN_YEARS);
    expect([...firstStarts.keys()]).toEqual(due.map((moment) => scheduledWindow(series, moment)));
    const minutes = due.map((moment, week) => {
      return (Date.parse(moment) - Date.parse([...firstStarts.values()][week]!)) / 60_000;
    });
    expect(minutes.filter((late) => ![0, 30, 60].includes(late))).toEqual([]);
  },
);
