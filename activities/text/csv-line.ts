const QUOTE = 0x22;
const RETURN = 0x0d;

/** Why a line is no row. */
export type LineProblem = 'field-count' | 'quote-misplaced' | 'quote-unclosed' | 'control-character';

/**
 * Is a line a row of so many fields? RFC 4180 with two restrictions, so that a row depends on its own line and on
 * nothing else (C3): a row is one physical line, and a quote stands only around a whole field or doubled inside one.
 * `line` is without its line end; the delimiter is one ASCII byte.
 */
export function csvLineProblem(line: Buffer, delimiter: number, fields: number): LineProblem | null {
  let count = 1;
  let quoted = false;
  let fieldStart = true;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === 0 || byte === RETURN) return 'control-character';
    if (quoted) {
      if (byte !== QUOTE) continue;
      const next = line[at + 1];
      if (next === QUOTE) at += 1;
      else if (next !== undefined && next !== delimiter) return 'quote-misplaced';
      else quoted = false;
    } else if (byte === delimiter) {
      count += 1;
      fieldStart = true;
    } else if (byte === QUOTE) {
      if (!fieldStart) return 'quote-misplaced';
      quoted = true;
      fieldStart = false;
    } else {
      fieldStart = false;
    }
  }
  if (quoted) return 'quote-unclosed';
  return count === fields ? null : 'field-count';
}

/** The fields of one well-formed line, for the few lines that are read here: header rows and dictionaries. */
export function csvFields(line: string, delimiter: string): string[] {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const end = quoted ? quoted[0].length : rest.indexOf(delimiter);
    const field = quoted ? quoted[1]!.replaceAll('""', '"') : end < 0 ? rest : rest.slice(0, end);
    fields.push(field);
    if (end < 0 || end >= rest.length) return fields;
    rest = rest.slice(end + delimiter.length);
  }
}
