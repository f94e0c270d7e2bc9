import type { ObjectStore } from '../../contracts/object-store.ts';
import { dayNumber } from '../../core/calendar/civil-day.ts';
import { matchObject, patternNames, patternPrefix, withoutTimes } from '../../core/source-pattern/pattern.ts';

/** How names write a time, the finest first. */
const TIMES: readonly [written: RegExp, placeholder: string][] = [
  [/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g, '{date}'],
  [/(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/g, '{yyyymmdd}'],
  [/(?<!\d)20\d{2}\/(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])(?!\d)/g, '{yyyy}/{mm}/{dd}'],
  [/(?<!\d)(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.20\d{2}(?!\d)/g, '{dd}.{mm}.{yyyy}'],
  [/(?<!\d)20\d{2}-(?:0[1-9]|1[0-2])(?!\d)/g, '{month}'],
  [/(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?!\d)/g, '{yyyymm}'],
  [/(?<!\d)20\d{2}-Q[1-4](?!\d)/g, '{quarter}'],
  [/(?<!\d)20\d{2}-W[0-5]\d(?!\d)/g, '{week}'],
  [/(?<!\d)20\d{2}(-?[Ww])[0-5]\d(?!\d)/g, '{gggg}$1{ww}'],
];

/** The pattern of a file's name: its time and its mode are those of any other. */
export const patternOf = (key: string, modes: readonly string[]): string => {
  const [time, placeholder] = TIMES.find(([form]) => key.search(form) >= 0) ?? [/$^/g, ''];
  const pattern = key.replaceAll(time, placeholder);
  if (modes.length < 2) return pattern;
  return pattern.replace(new RegExp(`(?<![a-z0-9-])(${modes.join('|')})(?![a-z0-9-])`), '{mode}');
};

/** Names of a source that are compared. */
const MOST_NAMES = 10_000;
/** Files of which none is nearer to the next, in days, hold more than the day of their names. */
const WEEK = 7;

/**
 * The pattern that the names of a source follow, as far as they show. Where files are weeks apart, or their name says so,
 * or has a second day, a row is of another day than its name: days are any text then, and each window reads all files.
 */
export async function usualPattern(store: ObjectStore, key: string, modes: readonly string[]): Promise<string> {
  const pattern = patternOf(key, modes);
  if (!patternNames(pattern).date) return pattern;
  const dates = new Set<number>();
  let names = 0;
  for await (const facts of store.list(patternPrefix(pattern))) {
    const day = matchObject(pattern, facts.key)?.date;
    if (day !== undefined) dates.add(dayNumber(day));
    names += 1;
    if (names === MOST_NAMES) break;
  }
  const days = [...dates].sort((a, b) => a - b);
  const isOfDay = days.length > 1 ? days.some((day, at) => day - days[at - 1]! < WEEK) : !/week/i.test(key);
  return isOfDay && matchObject(pattern, key) ? pattern : withoutTimes(pattern);
}
