import type { Partition } from '../../contracts/names.ts';
import { addDays } from '../calendar/civil-day.ts';
import { isInPeriod } from './object-time.ts';
import { nameOfDay, type ObjectName, objectKey, patternNames } from './pattern.ts';

/**
 * Which objects a window reads and which partitions each may feed: facts of names and public parameters (C6).
 *
 * The `{date}` of an object is the day of the series (calendar or traffic day) on which its rows begin. A trip that
 * begins on day d ends on d or on d + 1, so an object of trips feeds both, and a window reads the object of the day
 * before it for the trips that end inside (overlap). An object of taps feeds its own day,
 * as does one of trips of which no end is published. A row that falls on a day or a mode that its object does not feed
 * is a reject; that is what makes `partitionsFedBy` complete. An object of a month, a quarter or a year feeds the days of
 * that period in the same way. Where `{date}` is the day of a delivery, whose rows may be some days older
 * (`deliveryDays`), an object feeds these days too. Sources whose files are cut in another way (by UTC day under a local
 * day, by calendar day under a traffic day) put `*` in place of `{date}`: their objects feed every day.
 */

/**
 * What a series reads: the pattern of its objects, its parts, whether an object of one day feeds the next one too, and of
 * how many days before its own it may hold rows.
 */
export type ReadSource = {
  pattern: string;
  parts: readonly string[];
  overlaps: boolean;
  deliveryDays?: number | undefined;
};

/** The dates whose objects a window reads, the overlap day first; `days` are those of the window, in order. */
export function datesRead(
  days: readonly string[],
  { overlaps, deliveryDays = 0 }: Pick<ReadSource, 'overlaps' | 'deliveryDays'>,
): string[] {
  const later = Array.from({ length: deliveryDays }, (_, index) => addDays(days.at(-1)!, index + 1));
  return [...(overlaps ? [addDays(days[0]!, -1)] : []), ...days, ...later];
}

/**
 * What a window expects in the source: one entry for each combination of the placeholders that the pattern holds, an
 * object, or a group of objects under `*`.
 *
 * An overlap object may be absent. The first window of a series has none, and names alone do not distinguish that from
 * a missing one. Its absence is a fact of the inventory, known without any row (C6): it costs the ends of trips over
 * the first midnight, never privacy. An overlap object that is there and cannot be read is a fault like any other.
 */
export function expectObjects(source: ReadSource, days: readonly string[]) {
  const { pattern, parts } = source;
  const holds = patternNames(pattern);
  const names = new Map<string, { name: ObjectName; required: boolean }>();
  for (const day of datesRead(days, source)) {
    const name = nameOfDay(pattern, day);
    const key = name.date ?? name.period ?? '';
    const isOverlap = day < days[0]!;
    names.set(key, { name, required: (names.get(key)?.required ?? false) || !isOverlap });
  }
  return [...names.values()].flatMap(({ name, required }) =>
    (holds.mode ? parts : [undefined]).map((mode) => {
      const whole: ObjectName = { ...name, ...(mode !== undefined && { mode }) };
      return {
        ...whole,
        /** Null when the pattern holds `*` or pieces: then at least one object with this date and mode must exist. */
        key: holds.any || holds.piece ? null : objectKey(pattern, whole),
        /** Must it exist? False for the overlap day only. */
        required,
      };
    }),
  );
}

/**
 * Of each day and mode whose objects are pieces the first one that is missing, by the numbers alone: they begin at 0 or
 * 1, and none is left out before the last. Nobody can know whether more should follow.
 */
export function findPieceGaps(objects: readonly ObjectName[]): ObjectName[] {
  const groups = Map.groupBy(objects, ({ piece: _, ...name }) => JSON.stringify(name));
  return [...groups.values()].flatMap((names) => {
    const numbers = names.flatMap(({ piece }) => piece ?? []);
    const there = new Set(numbers.map(Number));
    let next = there.has(0) ? 0 : 1;
    while (there.has(next)) next += 1;
    if (next > Math.max(...there)) return [];
    const digits = Math.min(...numbers.map((number) => number.length));
    return [{ ...names[0]!, piece: String(next).padStart(digits, '0') }];
  });
}

/** Does a window read an object of this name? Other days and modes under the same prefix belong to others. */
export function isRead({ date, period, mode }: ObjectName, source: ReadSource, days: readonly string[]): boolean {
  const dates = datesRead(days, source);
  const isOfDate = date === undefined || dates.includes(date);
  const isOfPeriod = period === undefined || dates.some((day) => isInPeriod(day, period));
  return isOfDate && isOfPeriod && (mode === undefined || source.parts.includes(mode));
}

/** May an object of this name hold rows of the day? One that names no time may hold rows of any. */
export function mayHold(
  { date, period }: ObjectName,
  { overlaps, deliveryDays = 0 }: Pick<ReadSource, 'overlaps' | 'deliveryDays'>,
  day: string,
): boolean {
  const begins = overlaps ? [day, addDays(day, -1)] : [day];
  if (period !== undefined) return begins.some((one) => isInPeriod(one, period));
  return date === undefined || (day <= addDays(date, overlaps ? 1 : 0) && day >= addDays(date, -deliveryDays));
}

/**
 * The partitions of a window that an object may feed: its own day, where days overlap the next one too, without a date
 * every day; the part that its name gives as `{mode}`, without one every part. In the order of the parts, then of `days`.
 */
export function partitionsFedBy(name: ObjectName, source: ReadSource, days: readonly string[]): Partition[] {
  const ownDays = days.filter((day) => mayHold(name, source, day));
  return source.parts
    .filter((part) => name.mode === undefined || part === name.mode)
    .flatMap((part) => ownDays.map((day) => ({ part, day })));
}
