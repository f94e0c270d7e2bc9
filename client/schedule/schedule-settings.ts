import type { ScheduleDescription, ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUES } from '../../contracts/names.ts';
import { type ScheduledReleaseInput, scheduledReleaseWorkflowId } from '../../contracts/schedule.ts';
import type { Series } from '../../contracts/series.ts';
import { clockLabel, clockMinutes } from '../../core/calendar/time-bins.ts';

/** What is set in Temporal for a series, in words that can be compared and shown. */
export type ScheduleSettings = { weekday: string; time: string; timeZone: string; overlap: string; catchUp: string };

type Weekly = Pick<Series, 'series' | 'timeZone'> & { schedule: NonNullable<Series['schedule']> };

/**
 * Starts of an outage as long as this are made up for when the server is back; older ones show as missing, and a
 * back-fill makes them.
 */
const CATCH_UP_DAYS = 30;
const DAY_MS = 86_400_000;

export const deriveSettings = ({ schedule, timeZone }: Weekly): ScheduleSettings => ({
  weekday: schedule.weekday,
  time: schedule.time,
  timeZone,
  // Every start is short and has a window of its own, so none may wait for, or give way to, another.
  overlap: 'ALLOW_ALL',
  catchUp: `${CATCH_UP_DAYS} days`,
});

/** The settings as Temporal takes them. */
export function temporalOptions(series: Weekly): Pick<ScheduleOptions, 'spec' | 'action' | 'policies'> {
  const { weekday, time } = series.schedule;
  const input: ScheduledReleaseInput = { series: series.series };
  const minutes = clockMinutes(time);
  return {
    spec: {
      calendars: [
        {
          dayOfWeek: weekday.toUpperCase() as Uppercase<typeof weekday>,
          hour: Math.floor(minutes / 60),
          minute: minutes % 60,
        },
      ],
      timezone: series.timeZone,
    },
    action: {
      type: 'startWorkflow',
      workflowType: 'scheduledReleaseWorkflow',
      workflowId: scheduledReleaseWorkflowId(series.series),
      taskQueue: TASK_QUEUES.public,
      args: [input],
    },
    policies: { overlap: 'ALLOW_ALL', catchupWindow: CATCH_UP_DAYS * DAY_MS },
  };
}

/** The settings that Temporal has; what somebody else set there, and Opaline never would, is shown as it is. */
export function settingsOf({ spec, policies }: ScheduleDescription): ScheduleSettings {
  const [calendar] = spec.calendars ?? [];
  const number = (ranges: { start: number }[] | undefined) => ranges?.[0]?.start ?? 0;
  return {
    weekday: (calendar?.dayOfWeek ?? []).map(({ start }) => start.toLowerCase()).join(', '),
    time: clockLabel(number(calendar?.hour) * 60 + number(calendar?.minute)),
    timeZone: spec.timezone ?? 'UTC',
    overlap: String(policies.overlap),
    catchUp: `${policies.catchupWindow / DAY_MS} days`,
  };
}
