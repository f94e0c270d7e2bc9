import { openFacts, type ReleaseLine } from '../client/release/retractions.ts';
import { releasePath } from '../contracts/names.ts';
import { table } from '../core/text/text-table.ts';
import { localTime } from '../services/calendar/local-time.ts';
import { stateText } from './retraction-text.ts';

/** The releases and their states, as a table; `zones`: by the name of a series; waits end at `now`, ISO 8601 with Z. */
export const statusTable = (lines: readonly ReleaseLine[], zones: ReadonlyMap<string, string>, now: string): string =>
  table(
    ['release', 'state', 'for', 'failed', 'verdict', 'until', 'started', 'time zone'],
    lines.map((line) => {
      const timeZone = zones.get(line.series) ?? 'UTC';
      const { failed, partitions, verdict, until } = openFacts(line);
      return [
        releasePath(line),
        stateText(line),
        line.open?.since ? durationText((Date.parse(now) - Date.parse(line.open.since)) / 1000) : '',
        failed > 0 ? `${failed} of ${partitions}` : '',
        verdict ?? '',
        until ? localTime(until, timeZone) : '',
        line.startedAt === null ? '' : localTime(line.startedAt, timeZone),
        timeZone,
      ];
    }),
  );

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** A time in its two largest units: `3 d 4 h`. What is negative is `0 s`. */
export function durationText(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return '0 s';
  const counts = UNITS.slice(first, first + 2).map(([name, size], place) => {
    const above = place === 0 ? Number.POSITIVE_INFINITY : UNITS[first]![1];
    return [Math.floor((seconds % above) / size), name] as const;
  });
  return counts.flatMap(([count, name]) => (count > 0 ? `${count} ${name}` : [])).join(' ');
}
