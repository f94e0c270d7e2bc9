import { OpalineError } from '../../contracts/errors.ts';
import type { Partition } from '../../contracts/names.ts';
import { type Series, WEEKDAYS } from '../../contracts/series.ts';
import { addDays, isCivilDay, weekdayIndex } from './civil-day.ts';

/**
 * The days of a window, from its first day (YYYY-MM-DD). Throws WINDOW_INVALID when the day does not exist or is not
 * the weekday on which windows of the series start: a window off the grid would overlap two releases.
 */
export function windowDays(series: Pick<Series, 'window'>, window: string): string[] {
  const { days, firstWeekday } = series.window;
  if (!isCivilDay(window)) {
    throw new OpalineError(
      'WINDOW_INVALID',
      `A window is named by its first day, written YYYY-MM-DD; ${window} is no day of the calendar.`,
    );
  }
  const weekday = WEEKDAYS[weekdayIndex(window)]!;
  if (weekday !== firstWeekday) {
    const step = (7 - weekdayIndex(window) + WEEKDAYS.indexOf(firstWeekday)) % 7;
    throw new OpalineError(
      'WINDOW_INVALID',
      `${window} is a ${weekday}, but windows of this series start on a ${firstWeekday}; take ${addDays(window, step - 7)} or ${addDays(window, step)}.`,
    );
  }
  return Array.from({ length: days }, (_, index) => addDays(window, index));
}

/**
 * The partitions of a release: the product of the parts of the series and the window's days (C4), by part, then by day.
 * Throws WINDOW_INVALID as windowDays does.
 */
export function windowPartitions(
  series: Pick<Series, 'window'>,
  parts: readonly string[],
  window: string,
): Partition[] {
  const days = windowDays(series, window);
  return [...parts].sort().flatMap((part) => days.map((day) => ({ part, day })));
}

/** The last day of a window. Throws WINDOW_INVALID as windowDays does. */
export const lastDay = (series: Pick<Series, 'window'>, window: string): string => windowDays(series, window).at(-1)!;
