import { plainText } from '../core/text/plain-text.ts';
import { localTime } from '../services/calendar/local-time.ts';

/** Characters of one text, and members of one list, that a page shows at most. */
const MOST_CHARACTERS = 3000;
const MOST_MEMBERS = 8000;

/** Words of the machinery, and what managers read in their place. */
const MACHINERY: readonly [RegExp, string][] = [
  [/\bworkflow\b/g, 'run'],
  [/\bTemporal\b/g, 'the release server'],
  [/\bDuckDB\b/g, 'the counting program'],
];

/**
 * Everything that a page or its JSON shows, made safe in one place: names, reasons and notices may be anybody's. No text
 * is longer than a bound, none holds a character that is not shown, and no list is endless.
 */
export const clean = <Value>(value: Value): Value => clip(value, MACHINERY);

/** The same, with every word as it stands: for raw data, none of which may read differently from what it is. */
export function clip<Value>(value: Value, words: typeof MACHINERY = []): Value {
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return clipText(one, words);
    if (Array.isArray(one)) return one.slice(0, MOST_MEMBERS).map(copy);
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, copy(member)]));
    return one;
  };
  return copy(value) as Value;
}

function clipText(text: string, words: typeof MACHINERY): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return plainText(words.reduce((phrase, [name, instead]) => phrase.replace(name, instead), cut));
}

/** A moment on the clock of a series, with its zone: `2026-11-24 06:00 Australia/Sydney`. */
export const when = (moment: string, timeZone: string): string => `${localTime(moment, timeZone)} ${timeZone}`;

/**
 * The hour of a moment, rounded down: a deadline counts from the end of the private stages, and to the minute it would
 * say how long they took (C18).
 */
export const wholeHour = (moment: string): string => `${moment.slice(0, 13)}:00:00Z`;
