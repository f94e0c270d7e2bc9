/**
 * Characters that a terminal obeys, or that change how others are shown: control and format characters (the marks of
 * writing direction are among them), separators of lines, and halves of surrogate pairs.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const UNSHOWN_BUT_LINE_END = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const writeEscape = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Text as one line that no terminal obeys: what cannot be shown is written `\u{1b}`. For names that others chose. */
export const plainLine = (text: string): string => text.replace(UNSHOWN, writeEscape);

/** The same of whole lines: their ends stay. For everything that is printed. */
export const plainText = (text: string): string => text.replace(UNSHOWN_BUT_LINE_END, writeEscape);

/** Does the text hold nothing that would have to be escaped? */
export const isPlainLine = (text: string): boolean => plainLine(text) === text;
