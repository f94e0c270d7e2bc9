import { OpalineError } from '../../contracts/errors.ts';
import type { Partition } from '../../contracts/names.ts';
import { type Series, WEEKDAYS } from '../../contracts/series.ts';
import { addDays, dayNumber, isCivilDay, weekdayIndex } from './civil-day.ts';

type Windowed = Pick<Series, 'window'>;

/** Windows of whole months, or of a number of days from a weekday on. Throws SERIES_INVALID for a series of neither. */
function gridOf({ window }: Windowed): { months: number } | { days: number; weekday: number } {
  const { days, firstWeekday, months } = window;
  if (months !== undefined) return { months };
  if (days !== undefined && firstWeekday !== undefined) return { days, weekday: WEEKDAYS.indexOf(firstWeekday) };
  throw new OpalineError('SERIES_INVALID', 'The series says of its windows neither days with firstWeekday nor months.');
}

/** The first day of the month that is this many months after that of a day; earlier when negative. */
function monthFrom(day: string, months: number): string {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const count = 12 * year + month - 1 + months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`;
}

/** The first day of the window that begins on the day or last before it. Throws SERIES_INVALID. */
export function windowBegun(series: Windowed, day: string): string {
  const grid = gridOf(series);
  if ('months' in grid) return monthFrom(day, -((Number(day.slice(5, 7)) - 1) % grid.months));
  return addDays(day, -((7 + weekdayIndex(day) - grid.weekday) % 7));
}

/** The first day of the first window that begins on the day or after it. Throws SERIES_INVALID. */
export function windowFrom(series: Windowed, day: string): string {
  const [grid, first] = [gridOf(series), windowBegun(series, day)];
  if (first === day) return day;
  return 'months' in grid ? monthFrom(first, grid.months) : addDays(first, 7);
}

/** The first day of the window that follows one without sharing a day with it. Throws SERIES_INVALID. */
export function windowAfter(series: Windowed, window: string): string {
  const grid = gridOf(series);
  return 'months' in grid ? monthFrom(window, grid.months) : addDays(window, step(grid));
}

/** Days of the longest window. Throws SERIES_INVALID. */
export function mostDays(series: Windowed): number {
  const grid = gridOf(series);
  return 'days' in grid ? grid.days : { 1: 31, 3: 92, 6: 184, 12: 366 }[grid.months as 1 | 3 | 6 | 12];
}

/**
 * Windows without a common day that touch 365 consecutive days, at most: what a year of releases
 * charges to a block of the year's cap. Throws SERIES_INVALID.
 */
export function windowsOfYear(series: Windowed): number {
  const grid = gridOf(series);
  return 'months' in grid ? 12 / grid.months + 1 : Math.floor((YEAR + grid.days - 2) / step(grid)) + 1;
}

const YEAR = 365;

/** Days from one window to the next. */
const step = ({ days }: { days: number }): number => 7 * Math.ceil(days / 7);

/** The grid of windows in words: `7 days from a monday on`. */
export function windowWords(series: Windowed): string {
  const grid = gridOf(series);
  if ('days' in grid) return `${grid.days} days from a ${WEEKDAYS[grid.weekday]} on`;
  return grid.months === 1 ? 'a month from its first day on' : `${grid.months} months from the first day of one on`;
}

/**
 * The days of a window, from its first day (YYYY-MM-DD). Throws WINDOW_INVALID when the day does not exist or is not
 * one on which windows of the series start: a window off the grid would overlap two releases.
 */
export function windowDays(series: Windowed, window: string): string[] {
  if (!isCivilDay(window))
    throw new OpalineError(
      'WINDOW_INVALID',
      `A window is named by its first day, written YYYY-MM-DD; ${window} is no day of the calendar.`,
    );
  const grid = gridOf(series);
  const first = windowBegun(series, window);
  if (first !== window) {
    const offGrid =
      'months' in grid
        ? `Windows of this series are ${windowWords(series)}, and none starts on ${window}`
        : `${window} is a ${WEEKDAYS[weekdayIndex(window)]}, but windows of this series start on a ${WEEKDAYS[grid.weekday]}`;
    throw new OpalineError('WINDOW_INVALID', `${offGrid}; take ${first} or ${windowFrom(series, window)}.`);
  }
  const length = 'months' in grid ? dayNumber(windowAfter(series, window)) - dayNumber(window) : grid.days;
  return Array.from({ length }, (_, index) => addDays(window, index));
}

/**
 * Partitions that a release can have. Its history has about three events for each, and Temporal ends one of 51,200; a
 * list of all draws stays below 1 MB.
 */
export const MOST_PARTITIONS = 6000;

/** Why a release cannot have these parts on this many days; null when it can. */
export function tooManyPartitions(parts: readonly string[], days: number): string | null {
  if (parts.length * days <= MOST_PARTITIONS) return null;
  return `${parts.length} parts on ${days} days are more than the ${MOST_PARTITIONS} partitions of a release; take a shorter window, or several series.`;
}

/**
 * The partitions of a release: the product of the parts of the series and the window's days (C4), by part, then by day.
 * Throws WINDOW_INVALID as windowDays does, and SERIES_INVALID for more than a release can have.
 */
export function windowPartitions(series: Windowed, parts: readonly string[], window: string): Partition[] {
  const days = windowDays(series, window);
  const mistake = tooManyPartitions(parts, days.length);
  if (mistake) throw new OpalineError('SERIES_INVALID', mistake);
  return [...parts].sort().flatMap((part) => days.map((day) => ({ part, day })));
}

/** The last day of a window. Throws WINDOW_INVALID as windowDays does. */
export const lastDay = (series: Windowed, window: string): string => windowDays(series, window).at(-1)!;
