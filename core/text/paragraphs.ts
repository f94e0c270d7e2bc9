/** Text, texts, or nothing to say. */
export type TextParts = string | false | null | undefined | readonly TextParts[];

/** What there is to say, one text after the other. */
export const gather = (...parts: readonly TextParts[]): string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : part ? gather(...part) : []));

/** What there is to say, a line each. An empty text is an empty line. */
export const lines = (...parts: readonly TextParts[]): string => gather(...parts).join('\n');

/** What there is to say, with an empty line between any two of the parts. */
export const paragraphs = (...parts: readonly TextParts[]): string =>
  parts
    .map((part) => lines(part))
    .filter((text) => text !== '')
    .join('\n\n');

/** A line for each fact: what it is, and in a column of its own what it says. */
export const facts = (
  width: number,
  rows: readonly (readonly [name: string, text: string] | false | undefined)[],
): string => lines(rows.map((row) => row && `${row[0].padEnd(width)} ${row[1]}`));
