import { LETTERS } from './clock-format.ts';

/** How a source may write its times: a clock by its name, or a format; those of a series file (`source.clock`). */
export type ProposedClock = 'local' | 'utc' | 'offset' | 'unix-seconds' | 'unix-milliseconds' | { format: string };

const ISO = String.raw`\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])[ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`;

const NAMED: readonly (readonly [ProposedClock, string])[] = [
  ['local', ISO],
  ['utc', `${ISO}Z`],
  ['offset', String.raw`${ISO} ?[+-]\d{2}(:?\d{2})?`],
  // Ten digits are a time from 2001 to 2286.
  ['unix-seconds', String.raw`[1-9]\d{9}(\.\d{1,9})?`],
  ['unix-milliseconds', String.raw`[1-9]\d{12}(\.\d{1,9})?`],
];

const DAYS = ['%d.%m.%Y', '%d/%m/%Y', '%m/%d/%Y', '%d-%m-%Y', '%m-%d-%Y', '%Y/%m/%d', '%Y.%m.%d', '%Y-%m-%d', '%Y%m%d'];
const SHORT_DAYS = ['%d.%m.%y', '%d/%m/%y', '%m/%d/%y', '%d-%b-%Y', '%d %b %Y', '%d-%b-%y'];
const TIMES = ['%H:%M:%S', '%H:%M', '%I:%M:%S %p', '%I:%M %p', '%H.%M.%S', '%H.%M'];
const FORMATS = [...DAYS, ...SHORT_DAYS].flatMap((day) =>
  [' ', 'T', ', '].flatMap((between) => TIMES.map((time) => day + between + time)),
);

/** What a letter of a format can say; others say what LETTERS has. */
const VALUES: Readonly<Record<string, string>> = {
  m: '(0?[1-9]|1[0-2])',
  b: '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)',
  d: '(0?[1-9]|[12][0-9]|3[01])',
  H: '([01]?[0-9]|2[0-3])',
  I: '(0?[1-9]|1[0-2])',
  M: '[0-5][0-9]',
  S: '[0-5][0-9]',
};

const patternOf = (format: string): string =>
  format.replaceAll('.', '[.]').replace(/%([A-Za-z])/g, (_, letter: string) => VALUES[letter] ?? LETTERS[letter]!);

/**
 * The clocks that can read every one of some texts, those with names first; of days and months below 13 there may be two.
 * None when there is no text, or no clock reads them all.
 */
export function proposeClocks(texts: readonly string[]): ProposedClock[] {
  if (texts.length === 0) return [];
  const reads = (pattern: string): boolean => {
    const whole = new RegExp(`^(${pattern})$`, 'i');
    return texts.every((text) => whole.test(text.trim()));
  };
  const names = NAMED.flatMap(([clock, pattern]) => (reads(pattern) ? [clock] : []));
  return names.length > 0 ? names : FORMATS.filter((format) => reads(patternOf(format))).map((format) => ({ format }));
}
