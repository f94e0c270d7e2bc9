import type { Partition } from '../../contracts/names.ts';
import { addDays } from '../calendar/civil-day.ts';
import { type ObjectName, objectKey, patternNames } from './pattern.ts';

/**
 * Which objects a window reads and which partitions each may feed: facts of names and public parameters (C6).
 *
 * The `{date}` of an object is the day of the series (calendar or traffic day) on which its rows begin. A trip that
 * begins on day d ends on d or on d + 1, so an object of trips feeds both, and a window reads the object of the day
 * before it for the trips that end inside (overlap). An object of taps feeds its own day. A row that falls on a day or
 * a mode that its object does not feed is a reject; that is what makes `partitionsFedBy` complete. Sources whose files
 * are cut in another way (by UTC day under a local day, by calendar day under a traffic day) put `*` in place of
 * `{date}`: their objects feed every day.
 */

/** An object, or a group of objects under `*`, that a window reads. */
export type ExpectedObject = ObjectName & {
  /** The key; null when the pattern holds `*`: then at least one object with this date and mode must exist. */
  key: string | null;
  /** Must it exist? False for the overlap day only. */
  required: boolean;
};

/** What a series reads: the pattern of its objects, its parts, and whether an object of one day feeds the next one too. */
export type ReadSource = { pattern: string; parts: readonly string[]; overlaps: boolean };

/** The dates whose objects a window reads, the overlap day first; `days` are those of the window, in order. */
export const datesRead = (days: readonly string[], overlaps: boolean): string[] =>
  overlaps ? [addDays(days[0]!, -1), ...days] : [...days];

/**
 * What a window expects in the source: one entry for each combination of the placeholders that the pattern holds.
 *
 * An overlap object may be absent. The first window of a series has none, and a missing one cannot be told from that
 * by names alone. Its absence is a fact of the inventory, known without any row (C6): it costs the ends of trips over
 * the first midnight, never privacy. An overlap object that is there and cannot be read is a fault like any other.
 */
export function expectedObjects({ pattern, parts, overlaps }: ReadSource, days: readonly string[]): ExpectedObject[] {
  const holds = patternNames(pattern);
  const dates = holds.date ? datesRead(days, overlaps) : [undefined];
  return dates.flatMap((date) =>
    (holds.mode ? parts : [undefined]).map((mode) => {
      const name: ObjectName = { ...(date !== undefined && { date }), ...(mode !== undefined && { mode }) };
      return {
        ...name,
        key: holds.any ? null : objectKey(pattern, name),
        required: date === undefined || days.includes(date),
      };
    }),
  );
}

/** Does a window read an object of this name? Other days and modes under the same prefix belong to others. */
export function isRead(name: ObjectName, { parts, overlaps }: ReadSource, days: readonly string[]): boolean {
  const dateRead = name.date === undefined || datesRead(days, overlaps).includes(name.date);
  return dateRead && (name.mode === undefined || parts.includes(name.mode));
}

/**
 * The partitions of a window that an object may feed: its own day, where days overlap the next one too, without a date
 * every day; the part that its name gives as `{mode}`, without one every part. In the order of the parts, then of `days`.
 */
export function partitionsFedBy(
  { date, mode }: ObjectName,
  { parts, overlaps }: ReadSource,
  days: readonly string[],
): Partition[] {
  const fed = days.filter((day) => date === undefined || day === date || (overlaps && day === addDays(date, 1)));
  return parts
    .filter((part) => mode === undefined || part === mode)
    .flatMap((part) => fed.map((day) => ({ part, day })));
}
