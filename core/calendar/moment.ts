import { addDays, dayNumber, isCivilDay } from './civil-day.ts';
import { DAY_MINUTES } from './day-ends.ts';
import { clockLabel, clockMinutes } from './time-bins.ts';

/**
 * Moments of a local clock to the minute, as ISO 8601 writes them without a time zone: YYYY-MM-DDTHH:MM:00. Of an hour
 * that the clock shows twice, both passes have the same moments.
 */
const MOMENT = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d):00$/;

/**
 * The moment this many minutes after midnight of a day by its labels: 1710, which is 28:30, is 04:30 of the day
 * after.
 */
export const momentAt = (day: string, minutes: number): string =>
  `${addDays(day, Math.floor(minutes / DAY_MINUTES))}T${clockLabel(minutes % DAY_MINUTES)}:00`;

export const isMoment = (text: string): boolean => isCivilDay(MOMENT.exec(text)?.[1] ?? '');

/** Seconds from 1970-01-01T00:00:00 by the same clock. Throws RangeError when the text is no moment. */
export function momentSeconds(text: string): number {
  const [, day, time] = MOMENT.exec(text) ?? [];
  if (day === undefined) throw new RangeError('a moment is written YYYY-MM-DDTHH:MM:00');
  return 60 * (DAY_MINUTES * dayNumber(day) + clockMinutes(time!));
}
