import { Temporal } from 'temporal-polyfill';

/** What the clock of a time zone shows at a moment, ISO 8601 with Z. */
export const zoneClock = (moment: string, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone).toPlainDateTime();

/** A clock in words: `2026-11-24 06:00`. */
export const clockMinute = (clock: Temporal.PlainDateTime): string =>
  clock.toString({ smallestUnit: 'minute' }).replace('T', ' ');

/** A moment, ISO 8601 with Z, as the clock of a time zone shows it: `2026-11-24 06:00`. */
export const localTime = (moment: string, timeZone: string): string => clockMinute(zoneClock(moment, timeZone));

/** The day of a moment, ISO 8601 with Z, on the clock of a time zone: `2026-11-24`. */
export const localDay = (moment: string, timeZone: string): string => localTime(moment, timeZone).slice(0, 10);

/** The moment with its zone, for a sentence: `2026-11-24 06:00 (Australia/Sydney)`. */
export const clockText = (moment: string, timeZone: string): string => `${localTime(moment, timeZone)} (${timeZone})`;
