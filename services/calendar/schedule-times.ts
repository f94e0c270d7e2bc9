import { Temporal } from 'temporal-polyfill';
import { OpalineError } from '../../contracts/errors.ts';
import { type Series, WEEKDAYS } from '../../contracts/series.ts';
import { addDays, weekdayIndex } from '../../core/calendar/civil-day.ts';
import { DAY_MINUTES } from '../../core/calendar/day-ends.ts';
import { clockMinutes } from '../../core/calendar/time-bins.ts';
import { lastDay, windowBegun } from '../../core/calendar/window.ts';
import { localDay, zoneClock } from './local-time.ts';

/** What a schedule has to know of its series. */
export type ScheduledSeries = Pick<Series, 'series' | 'timeZone' | 'day' | 'window' | 'schedule'>;

/**
 * First day of the newest window that is complete at a scheduled time (ISO 8601 with Z): its last day, and the lag days
 * after it, are over on the clock of the series' zone. A traffic day that ends at 28:30 is over at 04:30 of the next
 * calendar day. Starts a week apart on that clock give windows a week apart, also when the clock changes between them.
 */
export function windowAt(series: ScheduledSeries, scheduledAt: string): string {
  const { lagDays } = series.window;
  const clock = zoneClock(scheduledAt, series.timeZone);
  const pastMidnight = Math.max(0, clockMinutes(series.day.ends) - DAY_MINUTES);
  const today = clock.subtract({ minutes: pastMidnight }).toPlainDate().toString(); // the first day that is not over
  const over = addDays(today, -lagDays - 1); // the last day of the newest window, or one after it
  let window = windowBegun(series, over);
  while (lastDay(series, window) > over) window = windowBegun(series, addDays(window, -1));
  return window;
}

/**
 * The scheduled times of a series after one moment and up to another (ISO 8601 with Z), in order. As with Temporal, a
 * time that the clock jumps over has no start. One that it shows twice is named once, by the later moment: Temporal
 * starts then, or an hour before, or both times, depending on the zone, and the second start finds the release there
 * (test/e2e/schedule.test.ts asks the server). Throws SERIES_INVALID when the series has no schedule.
 */
export function listStarts(series: ScheduledSeries, after: string, until: string): string[] {
  const [from, to] = [Temporal.Instant.from(after), Temporal.Instant.from(until)];
  const times = listDays(series, after, until).flatMap((day) => startOn(series, day) ?? []);
  const isWithin = (moment: string) =>
    Temporal.Instant.compare(moment, from) > 0 && Temporal.Instant.compare(moment, to) <= 0;
  return times.filter(isWithin);
}

/**
 * The first scheduled day, within `years` years after a moment, on which the clock jumps over the scheduled time, or
 * null. Temporal would not start on that day, and the window would be missing.
 */
export function findSkip(series: ScheduledSeries, from: string, years: number): string | null {
  const end = Temporal.Instant.from(from).toZonedDateTimeISO(series.timeZone).add({ years }).toInstant().toString();
  return listDays(series, from, end).find((day) => startOn(series, day) === null) ?? null;
}

/** When the clock shows the scheduled time on a day, the last time that it does; null when it jumps over it. */
function startOn(series: ScheduledSeries, day: string): string | null {
  const clock = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(scheduleOf(series).time));
  const moment = clock.toZonedDateTime(series.timeZone, { disambiguation: 'later' });
  return moment.toPlainDateTime().equals(clock) ? moment.toInstant().toString() : null;
}

/** The days of the schedule's weekday from the day of one moment to the day of another. */
function listDays(series: ScheduledSeries, from: string, to: string): string[] {
  const { weekday } = scheduleOf(series);
  const first = localDay(from, series.timeZone);
  const last = localDay(to, series.timeZone);
  const days: string[] = [];
  let day = addDays(first, (7 + WEEKDAYS.indexOf(weekday) - weekdayIndex(first)) % 7);
  for (; day <= last; day = addDays(day, 7)) days.push(day);
  return days;
}

function scheduleOf(series: ScheduledSeries): NonNullable<Series['schedule']> {
  if (series.schedule) return series.schedule;
  throw new OpalineError(
    'SERIES_INVALID',
    `${series.series} has no schedule; add \`schedule: { weekday: …, time: "HH:MM" }\` to its file.`,
  );
}

/** A window that was due at a scheduled time (ISO 8601 with Z), and of which no release has run. */
export type MissingWindow = { window: string; scheduledAt: string };

/** The windows that were due since a moment and that have not run, oldest first. */
export function listOverdue(series: Series, since: Date, now: Date, ran: ReadonlySet<string>): MissingWindow[] {
  if (!series.schedule) return [];
  const due = listStarts(series, since.toISOString(), now.toISOString());
  const windows = due.map((scheduledAt) => ({ window: windowAt(series, scheduledAt), scheduledAt }));
  // Several starts of a week find the same window of a month: the first one was due.
  return windows.filter(({ window }, index) => !ran.has(window) && windows[index - 1]?.window !== window);
}
