import { OpalineError } from '../../contracts/errors.ts';
import { binLabels, clockMinutes } from '../../core/calendar/time-bins.ts';
import { parseDictionary } from '../taps/location-dictionary.ts';
import type { SyntheticFile, SyntheticSeries } from './series.ts';

/** A public attribute of rows: its values, and which of them a value of the source is. */
export type Attribute = {
  name: string;
  column: string;
  /** In the order of the domain; the last one is the unknown. */
  values: readonly string[];
  /** Place of the value of one source row; whatever is not in the domain is the unknown (C4). */
  placeOf(text: string): number;
};

type Field = SyntheticFile['attributes'][number];
type Day = SyntheticSeries['day'];

/**
 * An attribute of a series, given the bytes of lists by their names in it. Throws SERIES_INVALID for a list with a
 * mistake.
 */
export function attributeOf(field: Field, day: Day, lists: ReadonlyMap<string, Uint8Array>): Attribute {
  const { name, column, minutes, unknown } = field;
  const bytes = field.list === undefined ? undefined : lists.get(field.list);
  const list = bytes && parseDictionary(bytes);
  if (minutes !== undefined) {
    const values = [...binLabels(day.starts, day.ends, minutes, []), unknown];
    const [starts, ends] = [clockMinutes(day.starts), clockMinutes(day.ends)];
    const placeOf = (text: string): number => {
      const clock = clockOf(text);
      if (clock === null) return values.length - 1;
      // A time before the day begins is after midnight.
      const minute = clock < starts ? clock + 24 * 60 : clock;
      return minute < ends ? Math.floor((minute - starts) / minutes) : values.length - 1;
    };
    return { name, column, values, placeOf };
  }
  const members = [...new Set(list ? list.values() : (field.values ?? []))].filter((one) => one !== unknown);
  const values = [...(list ? members.sort() : members), unknown];
  const places = new Map(values.map((value, place) => [value, place]));
  const placeOf = (text: string): number => {
    const value = list ? list.get(text.trim()) : text.trim();
    return (value === undefined ? undefined : places.get(value)) ?? values.length - 1;
  };
  return { name, column, values, placeOf };
}

/** Longest time that is read: a date and a time with parts of a second. */
const LONGEST_TIME = 40;

/** Minutes after midnight of a clock time, alone or after a date; null for other texts. */
function clockOf(text: string): number | null {
  const match = /^(?:\d{4}-\d{2}-\d{2}[T ])?(\d{1,2}):([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?$/.exec(
    text.slice(0, LONGEST_TIME).trim(),
  );
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/**
 * The attributes of a stored series, given the bytes of its lists by digest. Throws SERIES_INVALID when they are not
 * of the shape that the series names: then the draw would not be the one that is certified.
 *
 * @contract C4
 */
export function attributesOf(series: SyntheticSeries, lists: ReadonlyMap<string, Uint8Array>): Attribute[] {
  const attributes = series.attributes.map((field) => attributeOf(field, series.day, lists));
  if (attributes.every(({ values }, place) => values.length === series.shape[place])) return attributes;
  throw new OpalineError('SERIES_INVALID', 'The stored series does not fit its lists; apply the series file again.');
}
