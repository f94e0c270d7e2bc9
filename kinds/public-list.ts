import { OpalineError } from '../contracts/errors.ts';
import { csvFields, csvRow, listLines } from '../core/text/csv.ts';

/** A line of a public list that cannot be used, and what to do about it. */
export type ListMistake = { line: number; sentence: string };

/** What to do with a list of other bytes. */
export const SAVE_AS_UTF8 =
  'Save it as UTF-8: in a spreadsheet as "CSV UTF-8", or with `iconv -f LATIN1 -t UTF-8 OLD > NEW`.';

/** The columns of a list, in any order, and what its first line should be, in a sentence. */
export type ListColumns = { needed: readonly string[]; others: readonly string[]; sentence: string };

/** The fields of a line by their columns, without blanks around them. */
export type ListRow = Readonly<Record<string, string>>;

/**
 * Reads a public list (C4), a CSV with a header, and gives its mistakes in the order of the lines: `add` takes the row of
 * each line that is not blank, or says what is wrong with it.
 */
export function readPublicList(
  bytes: Uint8Array,
  { needed, others, sentence }: ListColumns,
  add: (row: ListRow) => string | null,
): ListMistake[] {
  let all: string[];
  try {
    all = listLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return [
      { line: 1, sentence: error instanceof SyntaxError ? error.message : `The list is not UTF-8. ${SAVE_AS_UTF8}` },
    ];
  }
  const [head = '', ...lines] = all;
  const header = csvFields(head).map((field) => field.trim());
  const fits = header.every((name) => needed.includes(name) || others.includes(name));
  if (!fits || new Set(header).size < header.length || !needed.every((name) => header.includes(name)))
    return [{ line: 1, sentence }];
  const wellFormed = `${header.length} well-formed field${header.length === 1 ? '' : 's'}`;
  return lines.flatMap((line, index): ListMistake[] => {
    if (line.trim() === '') return [];
    const fields = csvRow(line, header.length);
    const problem = fields
      ? add(Object.fromEntries(fields.map((field, place) => [header[place]!, field.trim()])))
      : `The line has not ${wellFormed}; put quotes around a field with a comma.`;
    return problem === null ? [] : [{ line: index + 2, sentence: problem }];
  });
}

/** What a list holds, and its mistakes in the order of the lines. */
export type ReadList<Content> = { content: Content; mistakes: ListMistake[] };

/** What a list without mistakes holds; a sentence says what it is `name`. Throws SERIES_INVALID with the first one. */
export const soundList =
  <Content>(read: (bytes: Uint8Array) => ReadList<Content>, name: string) =>
  (bytes: Uint8Array): Content => {
    const { content, mistakes } = read(bytes);
    const [first] = mistakes;
    if (first) throw new OpalineError('SERIES_INVALID', `Line ${first.line} of ${name}: ${first.sentence}`);
    return content;
  };
