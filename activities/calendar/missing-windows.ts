import type { Series } from '../../contracts/series.ts';
import { scheduledTimes, windowAt } from './scheduled-window.ts';

/** A window that was due at a scheduled time (ISO 8601 with Z), and of which no release has run. */
export type MissingWindow = { window: string; scheduledAt: string };

/** The windows that were due since a moment and that have not run, oldest first. */
export function missingWindows(series: Series, since: Date, now: Date, ran: ReadonlySet<string>): MissingWindow[] {
  if (!series.schedule) return [];
  const due = scheduledTimes(series, since.toISOString(), now.toISOString());
  return due
    .map((scheduledAt) => ({ window: windowAt(series, scheduledAt), scheduledAt }))
    .filter(({ window }) => !ran.has(window));
}
