import { clockLabel, clockMinutes } from './time-bins.ts';

/** Minutes of a day of the clock. */
export const DAY_MINUTES = 24 * 60;
/** The last minute that a time of a series file can be, and with it the longest traffic day. */
const LAST_MINUTE = 36 * 60 - 1;

/** `ends` as written, or 24 hours after `starts`; null when that is later than a traffic day can last. */
export function dayEnds({ starts, ends }: { starts: string; ends?: string | undefined }): string | null {
  if (ends !== undefined) return ends;
  const minutes = clockMinutes(starts) + DAY_MINUTES;
  return minutes > LAST_MINUTE ? null : clockLabel(minutes);
}
