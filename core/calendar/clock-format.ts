/**
 * Formats of clocks that sources write in a way of their own: `%d.%m.%Y %H:%M:%S`. The letters are those of strptime
 * (POSIX.1-2017, strptime); a format is compiled to a regular expression, so that a text is read only when the whole of
 * it is what the format says, whatever else the reader of timestamps would take.
 */

/** What a text may hold where the format has a letter. Days, months and hours have one digit or two. */
export const LETTERS: Readonly<Record<string, string>> = {
  Y: '[0-9]{4}',
  y: '[0-9]{2}',
  m: '[0-9]{1,2}',
  b: '[A-Za-z]{3}',
  d: '[0-9]{1,2}',
  H: '[0-9]{1,2}',
  I: '[0-9]{1,2}',
  M: '[0-9]{2}',
  S: '[0-9]{2}',
  p: '[AaPp][Mm]',
};

/** Texts between the letters. */
const BETWEEN = /^[ .,:/\-T]$/;

/**
 * Reads a format: a regular expression (RE2 and JavaScript) that a whole text has to fit, and what is wrong with the
 * format, one sentence each; empty when it can be used. A letter occurs once; a format says day, month, year, hour and
 * minute.
 */
export function readClockFormat(format: string): { pattern: string; problems: string[] } {
  const problems: string[] = [];
  const letters: string[] = [];
  let pattern = '';
  for (let at = 0; at < format.length; at += 1) {
    const character = format[at]!;
    if (character !== '%') {
      if (!BETWEEN.test(character)) problems.push(`${character} cannot be in a format; use blanks and . , : / - T.`);
      pattern += character === '.' ? '[.]' : character;
      continue;
    }
    at += 1;
    const letter = format[at] ?? '';
    const part = LETTERS[letter];
    if (part === undefined) problems.push(`%${letter} is no part of a time; use %${Object.keys(LETTERS).join(' %')}.`);
    if (letters.includes(letter)) problems.push(`%${letter} is there twice; write it once.`);
    letters.push(letter);
    pattern += part ?? '';
  }
  const has = (...some: string[]): boolean => some.filter((letter) => letters.includes(letter)).length === 1;
  if (!has('Y', 'y') || !has('m', 'b') || !has('d'))
    problems.push('A format says the day once: %Y or %y, %m or %b, and %d.');
  if (!has('H', 'I') || !has('M')) problems.push('A format says the time once: %H or %I, and %M.');
  if (letters.includes('I') !== letters.includes('p')) problems.push('%I and %p, AM or PM, come together.');
  return { pattern, problems };
}
