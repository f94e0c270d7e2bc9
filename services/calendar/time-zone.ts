import { Temporal } from 'temporal-polyfill';
import type { Series } from '../../contracts/series.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { binLabels, type ClockGap, clockMinutes } from '../../core/calendar/time-bins.ts';
import { lastDay } from '../../core/calendar/window.ts';

/**
 * What is known of time zones. The rules come with Node's own copy of the time zone database, and the public time
 * domain is made from them alone; DuckDB has another copy, which only a series' own AT TIME ZONE asks.
 */

/** Is the text a region of the time zone database (`Australia/Sydney`, `UTC`)? A bare offset is not one. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** The moment at which the clock shows this many minutes after midnight; one that is jumped over counts from before. */
const atClock = (timeZone: string, day: string, minutes: number): Temporal.ZonedDateTime =>
  Temporal.PlainDate.from(day)
    .toPlainDateTime()
    .add({ minutes })
    .toZonedDateTime(timeZone, { disambiguation: 'earlier' });

/**
 * The wall-clock minutes between `starts` and `ends` of a day over which the clock jumps. Minutes are those after
 * midnight of the day, so that a traffic day sees the change of the next morning at 26:00.
 */
export function clockGaps(timeZone: string, day: string, starts: string, ends: string): ClockGap[] {
  const midnight = Temporal.PlainDate.from(day).toPlainDateTime();
  const minutesAfterMidnight = (clock: Temporal.PlainDateTime): number =>
    clock.since(midnight, { largestUnit: 'minutes' }).total('minutes');
  // A day on each side, so that a change exactly at one of the ends is seen; gaps outside do no harm.
  const until = atClock(timeZone, addDays(day, 1), clockMinutes(ends));
  const gaps: ClockGap[] = [];
  let change = atClock(timeZone, addDays(day, -1), clockMinutes(starts)).getTimeZoneTransition('next');
  while (change && Temporal.ZonedDateTime.compare(change, until) <= 0) {
    const before = change.subtract({ nanoseconds: 1 });
    const jump = (change.offsetNanoseconds - before.offsetNanoseconds) / 60e9;
    const end = minutesAfterMidnight(change.toPlainDateTime());
    if (jump > 0) gaps.push({ start: end - jump, end });
    change = change.getTimeZoneTransition('next');
  }
  return gaps;
}

/** Labels of the time bins of one day of a series, in order: its public time domain on that day. */
export function timeLabels(
  series: Pick<Series, 'timeZone' | 'day'> & { bins: { minutes: number } },
  day: string,
): string[] {
  const { starts, ends } = series.day;
  return binLabels(starts, ends, series.bins.minutes, clockGaps(series.timeZone, day, starts, ends));
}

/**
 * The moment before which a release of the window is not published (embargo), ISO 8601 with Z; null when the series
 * has none. Days count from the last day of the window. Throws WINDOW_INVALID.
 */
export function publishNotBefore(
  series: Pick<Series, 'timeZone' | 'window' | 'publication'>,
  window: string,
): string | null {
  const { at } = series.publication;
  if (!at) return null;
  const day = addDays(lastDay(series, window), at.daysAfterWindow);
  return atClock(series.timeZone, day, clockMinutes(at.time)).toInstant().toString();
}
