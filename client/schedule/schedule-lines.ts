import type { ScheduleDescription } from '@temporalio/client';
import { scheduleId } from '../../contracts/schedule.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { listOverdue } from '../../services/calendar/schedule-times.ts';
import { windowsThatRan } from '../../services/stores/release-executions.ts';
import { readSchedule } from '../../services/stores/schedule-objects.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { deriveSettings, settingsOf } from './schedule-settings.ts';
import { describeSchedule } from './schedules.ts';

/** One schedule as `list` shows it. */
export type ScheduleLine = Awaited<ReturnType<typeof lineOf>>;

/** All schedules, by the name of their series, with what is late or missing. */
export async function listSchedules(client: OpalineClient, now: Date = new Date()): Promise<ScheduleLine[]> {
  const prefix = scheduleId('');
  const lines: ScheduleLine[] = [];
  for await (const { scheduleId: id } of client.temporal.schedule.list()) {
    if (!id.startsWith(prefix)) continue;
    const description = await describeSchedule(client, id.slice(prefix.length));
    if (description) lines.push(await lineOf(client, id.slice(prefix.length), description, now));
  }
  return lines.sort((a, b) => (a.series < b.series ? -1 : 1));
}

/** Times are ISO 8601 with Z. */
async function lineOf(client: OpalineClient, name: string, description: ScheduleDescription, now: Date) {
  const { info, state } = description;
  const { series } = await readApplied(client.releaseStore, name);
  const ran = await windowsThatRan(client.releaseStore, name);
  const since = (await readSchedule(client.releaseStore, name))?.since;
  const gaps = listOverdue(series, since ? new Date(since) : info.createdAt, now, ran);
  const settings = series.schedule && deriveSettings({ ...series, schedule: series.schedule });
  return {
    series: name,
    /** Zone of the series, in which its schedule counts. */
    timeZone: series.timeZone,
    paused: state.paused,
    /** Why it is paused; null when it is not. */
    note: (state.paused && state.note) || null,
    /** Next start; null while it is paused. */
    next: (!state.paused && info.nextActionTimes[0]?.toISOString()) || null,
    /** Newest scheduled time that Temporal has acted on. */
    last: info.recentActions.at(-1)?.scheduledAt.toISOString() ?? null,
    /** Windows whose scheduled time has passed since the schedule was made, and that no release was started for. */
    missing: gaps,
    /** Seconds since the scheduled time of the oldest missing window; null when none is missing. */
    lateSeconds: gaps[0] ? Math.round((now.getTime() - Date.parse(gaps[0].scheduledAt)) / 1000) : null,
    /** False when the schedule in Temporal is not that of the newest applied file: apply it again. */
    inStep: canonicalJson(settings ?? null) === canonicalJson(settingsOf(description)),
  };
}
