import { Temporal } from 'temporal-polyfill';
import { OpalineError } from '../../contracts/errors.ts';
import type { Series } from '../../contracts/series.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { clockMinutes } from '../../core/calendar/time-bins.ts';
import { lastDay } from '../../core/calendar/window.ts';
import { clockMinute, zoneClock } from './local-time.ts';

type Windows = Pick<Series, 'timeZone' | 'window' | 'day'>;

/** The clock of the zone when a window is complete: the end of its last day, plus the lag days. */
const endOf = (series: Windows, window: string): Temporal.PlainDateTime =>
  Temporal.PlainDate.from(addDays(lastDay(series, window), series.window.lagDays))
    .toPlainDateTime()
    .add({ minutes: clockMinutes(series.day.ends) });

/**
 * A window is complete when the clock of the series' zone shows the end of its last day, plus the lag days: data that
 * comes in after a draw could be published only with a new charge. Throws WINDOW_INVALID before that.
 */
export function requireEnded(series: Windows, window: string, now: Date): void {
  const complete = endOf(series, window);
  if (Temporal.PlainDateTime.compare(zoneClock(now.toISOString(), series.timeZone), complete) >= 0) return;
  throw new OpalineError(
    'WINDOW_INVALID',
    `The window ${window} is complete at ${clockMinute(complete)} (${series.timeZone}), lag days included; start its release then.`,
  );
}

/** Has a window been complete for longer than `days` days? */
export const isOlderThan = (series: Windows, window: string, days: number, now: Date): boolean =>
  Temporal.PlainDateTime.compare(zoneClock(now.toISOString(), series.timeZone), endOf(series, window).add({ days })) >
  0;
