/**
 * CSV as RFC 4180 has it. Nobody else here reads or writes it: sources, dictionaries, published tables and the files of
 * other publishers are lines and fields of this file.
 */

const COMMA = 0x2c;
const QUOTE = 0x22;
const RETURN = 0x0d;

/** Why a line is no row. */
export type LineProblem = 'field-count' | 'quote-misplaced' | 'quote-unclosed' | 'control-character';

/**
 * How many fields a line has, or why it is no row of any number of them. RFC 4180 with two restrictions, so that a row
 * depends on its own line and on nothing else (C3): a row is one physical line, and a quote occurs only around a whole
 * field or doubled inside one. `line` is UTF-8 without its line end; the delimiter is one ASCII byte.
 */
export function csvFieldCount(line: Uint8Array, delimiter: number): number | Exclude<LineProblem, 'field-count'> {
  let count = 1;
  let inQuotes = false;
  let fieldStart = true;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === 0 || byte === RETURN) return 'control-character';
    if (inQuotes) {
      if (byte !== QUOTE) continue;
      const next = line[at + 1];
      if (next === QUOTE) at += 1;
      else if (next !== undefined && next !== delimiter) return 'quote-misplaced';
      else inQuotes = false;
    } else if (byte === delimiter) {
      count += 1;
      fieldStart = true;
    } else if (byte === QUOTE) {
      if (!fieldStart) return 'quote-misplaced';
      inQuotes = true;
      fieldStart = false;
    } else {
      fieldStart = false;
    }
  }
  return inQuotes ? 'quote-unclosed' : count;
}

/** The fields of a line that is a row of this many, by the same rules; null for one that is not. */
export const csvRow = (line: string, fields: number): string[] | null =>
  csvFieldCount(new TextEncoder().encode(line), COMMA) === fields ? csvFields(line) : null;

/** The fields of one well-formed line or record, without its line end. Of others it makes what it can. */
export function csvFields(line: string, delimiter = ','): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const fields: string[] = [];
  let start = 0;
  for (;;) {
    const close = line[start] === '"' ? findEndQuote(line, start) : -1;
    const end = close < 0 ? line.indexOf(delimiter, start) : close + 1;
    if (close >= 0) fields.push(line.slice(start + 1, close).replaceAll('""', '"'));
    else fields.push(end < 0 ? line.slice(start) : line.slice(start, end));
    if (end < 0 || end >= line.length) return fields;
    start = end + delimiter.length;
  }
}

/** Place of the quote that ends the field whose quote opens at `start`; −1 when none does. */
function findEndQuote(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); at >= 0; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return -1;
}

/** Longest line of a public list, in UTF-16 units: descriptions of stops have some thousands. */
const LONGEST_LINE = 10_000;
const MOST_LINES = 1_000_000;

/**
 * The lines of a public list that a person names, without their ends. Throws SyntaxError, with a sentence, for a list
 * with longer lines or more of them than any list of places has: it would fill the memory before anything is read of it.
 */
export function listLines(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/, MOST_LINES + 1);
  if (lines.length > MOST_LINES) throw new SyntaxError(`The list has more than ${MOST_LINES} lines.`);
  const long = lines.findIndex((line) => line.length > LONGEST_LINE);
  if (long < 0) return lines;
  throw new SyntaxError(`Line ${long + 1} has more than ${LONGEST_LINE} characters; is a quote or a line end missing?`);
}

/** Records end with CR LF: those of the Opal release of 2017 did, and RFC 4180 asks for it. */
export const LINE_END = '\r\n';

/** The text of one record, without its line end: fields quoted where RFC 4180 asks for it. */
export const formatCsvRecord = (fields: readonly string[]): string => fields.map(quote).join(',');

const quote = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/**
 * Records that formatCsvRecord has written, each with a line end, one by one as text. Throws SyntaxError when a quote is
 * open at the end, or the last line is. Cost: O(text), and no memory for records that were taken.
 */
export function* csvRecords(text: string): Generator<string> {
  let [start, records] = [0, 0];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(LINE_END, from);
    if (end < 0) throw new SyntaxError('the last line has no end');
    const record = text.slice(start, end);
    from = end + LINE_END.length;
    // A line end inside quotes is part of a field.
    if (record.includes('"') && record.split('"').length % 2 === 0) continue;
    yield record;
    start = from;
    records += 1;
  }
  if (start < text.length) throw new SyntaxError(`record ${records + 1} is not CSV`);
}
