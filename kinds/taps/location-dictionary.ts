import { OpalineError } from '../../contracts/errors.ts';
import { csvFields, csvLineProblem } from '../../core/csv/csv.ts';

/** Name in the source → published location. */
export type Dictionary = Map<string, string>;

/** A line of a dictionary that cannot be used, and what to do about it. */
export type DictionaryMistake = { line: number; sentence: string };

const COMMA = 0x2c;
/** Longest location that is read. */
const LONGEST = 200;

/**
 * The public location dictionary of a mode (C4): a CSV with the columns source,location, or location alone when the
 * source has the published names already. Names are trimmed. Throws SERIES_INVALID with the first mistake.
 */
export function parseDictionary(bytes: Uint8Array): Dictionary {
  const { dictionary, mistakes } = readLocationDictionary(bytes);
  const [first] = mistakes;
  if (first) throw new OpalineError('SERIES_INVALID', `Line ${first.line} of a location dictionary: ${first.sentence}`);
  return dictionary;
}

/** The same with every mistake, in the order of the lines. */
export function readLocationDictionary(bytes: Uint8Array): { dictionary: Dictionary; mistakes: DictionaryMistake[] } {
  const dictionary: Dictionary = new Map();
  const refused = (sentence: string) => ({ dictionary, mistakes: [{ line: 1, sentence }] });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('The dictionary is not UTF-8; save it in that encoding.');
  }
  const [head = '', ...lines] = text.split(/\r?\n/);
  const header = csvFields(head).map((field) => field.trim());
  const known = header.every((name) => name === 'location' || name === 'source');
  if (!header.includes('location') || !known || new Set(header).size < header.length)
    return refused('The first line names the columns: source,location, or location alone.');
  const mistakes = lines.flatMap((line, index): DictionaryMistake[] => {
    if (line.trim() === '') return [];
    const sentence = addRow(dictionary, line, header);
    return sentence === null ? [] : [{ line: index + 2, sentence }];
  });
  if (dictionary.size === 0) mistakes.push({ line: 1, sentence: 'The dictionary has no locations; add some.' });
  return { dictionary, mistakes };
}

/** Adds the row of a line, or says what is wrong with it. */
function addRow(dictionary: Dictionary, line: string, header: readonly string[]): string | null {
  const columns = header.length;
  if (csvLineProblem(new TextEncoder().encode(line), COMMA, columns) !== null)
    return `The line has not ${columns} well-formed field${columns === 1 ? '' : 's'}; put quotes around a field with a comma.`;
  const fields = csvFields(line).map((field) => field.trim());
  const location = fields[header.indexOf('location')] ?? '';
  const name = header.includes('source') ? (fields[header.indexOf('source')] ?? '') : location;
  if (name === '' || location === '') return 'A field is empty; fill it, or take the line out.';
  if (location === '*') return 'The location cannot be *, which means all of them.';
  if ([...location].length > LONGEST || /\p{Cc}/u.test(location))
    return `A location has at most ${LONGEST} characters and no control characters.`;
  if (dictionary.has(name)) return 'The name in the source is there twice; take one line out.';
  dictionary.set(name, location);
  return null;
}
