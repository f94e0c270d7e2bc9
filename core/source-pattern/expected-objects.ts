import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
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

type Source = Pick<Series['source'], 'pattern' | 'rows'>;

/** The dates whose objects a window reads, the overlap day first; `days` are those of the window, in order. */
export const datesRead = (days: readonly string[], rows: Source['rows']): string[] =>
  rows === 'trips' ? [addDays(days[0]!, -1), ...days] : [...days];

/**
 * What a window expects in the source: one entry for each combination of the placeholders that the pattern holds.
 *
 * An overlap object may be absent. The first window of a series has none, and a missing one cannot be told from that
 * by names alone. Its absence is a fact of the inventory, known without any row (C6): it costs the ends of trips over
 * the first midnight, never privacy. An overlap object that is there and cannot be read is a fault like any other.
 */
export function expectedObjects(source: Source, days: readonly string[], modes: readonly string[]): ExpectedObject[] {
  const holds = patternNames(source.pattern);
  const dates = holds.date ? datesRead(days, source.rows) : [undefined];
  return dates.flatMap((date) =>
    (holds.mode ? modes : [undefined]).map((mode) => {
      const name: ObjectName = { ...(date !== undefined && { date }), ...(mode !== undefined && { mode }) };
      return {
        ...name,
        key: holds.any ? null : objectKey(source.pattern, name),
        required: date === undefined || days.includes(date),
      };
    }),
  );
}

/** Does a window read an object of this name? Other days and modes under the same prefix belong to others. */
export function isRead(
  name: ObjectName,
  days: readonly string[],
  modes: readonly string[],
  rows: Source['rows'],
): boolean {
  const dateRead = name.date === undefined || datesRead(days, rows).includes(name.date);
  return dateRead && (name.mode === undefined || modes.includes(name.mode));
}

/**
 * The partitions of a window that an object may feed: its own day, for trips the next one too, without a date every
 * day; its own mode, without one every mode. In the order of `modes`, then of `days`.
 */
export function partitionsFedBy(
  name: ObjectName,
  days: readonly string[],
  modes: readonly string[],
  rows: Source['rows'],
): Partition[] {
  const { date, mode } = name;
  const fed = days.filter(
    (day) => date === undefined || day === date || (rows === 'trips' && day === addDays(date, 1)),
  );
  return modes
    .filter((each) => mode === undefined || each === mode)
    .flatMap((each) => fed.map((day) => ({ part: each, day })));
}
