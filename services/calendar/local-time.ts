import { Temporal } from 'temporal-polyfill';

/** A moment, ISO 8601 with Z, as the clock of a time zone shows it: `2026-11-24 06:00`. */
export const localTime = (moment: string, timeZone: string): string =>
  Temporal.Instant.from(moment)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');

/** The day of a moment, ISO 8601 with Z, on the clock of a time zone: `2026-11-24`. */
export const localDay = (moment: string, timeZone: string): string => localTime(moment, timeZone).slice(0, 10);

/** The moment with its zone, for a sentence: `2026-11-24 06:00 (Australia/Sydney)`. */
export const clockText = (moment: string, timeZone: string): string => `${localTime(moment, timeZone)} (${timeZone})`;
