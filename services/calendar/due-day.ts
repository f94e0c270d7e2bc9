import { type Series, WEEKDAYS } from '../../contracts/series.ts';
import { addDays, weekdayIndex } from '../../core/calendar/civil-day.ts';
import { lastDay, windowAfter } from '../../core/calendar/window.ts';

/**
 * The day (YYYY-MM-DD) by which the window after this one should be public at the latest, as far as the series says: its
 * schedule starts a release, people have until the gate expires, and an embargo may hold it longer. Null without a
 * schedule. It is a public rule, and says nothing of what happens. Throws WINDOW_INVALID.
 */
export function dueDayAfter(
  series: Pick<Series, 'window' | 'schedule' | 'gate' | 'publication'>,
  window: string,
): string | null {
  const { schedule, gate, publication } = series;
  if (!schedule) return null;
  const next = windowAfter(series, window);
  const last = lastDay(series, next);
  const complete = addDays(last, series.window.lagDays + 1);
  const start = addDays(complete, (7 + WEEKDAYS.indexOf(schedule.weekday) - weekdayIndex(complete)) % 7);
  const deadline = addDays(start, Math.ceil(gate.expiresAfterDays) + 1);
  const embargo = addDays(last, (publication.at?.daysAfterWindow ?? 0) + 1);
  return deadline > embargo ? deadline : embargo;
}
