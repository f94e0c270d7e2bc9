import { OpalineError } from '../../contracts/errors.ts';
import { csvFields, csvLineProblem, listLines } from '../../core/text/csv.ts';

/** Name in the source → published location. */
export type Dictionary = Map<string, string>;

/** A line of a dictionary that cannot be used, and what to do about it. */
export type DictionaryMistake = { line: number; sentence: string };

const COMMA = 0x2c;
/** Longest location that is read. */
const LONGEST = 200;

/** What to do with a list of other bytes. */
export const SAVE_AS_UTF8 =
  'Save it as UTF-8: in a spreadsheet as "CSV UTF-8", or with `iconv -f LATIN1 -t UTF-8 OLD > NEW`.';

/** Columns that a dictionary may have besides; they say something of the location, and are published with it. */
const FACTS = ['name', 'latitude', 'longitude', 'parent'] as const;
/** All columns that a dictionary may have. */
export const PLACE_COLUMNS: readonly string[] = ['source', 'location', ...FACTS];

/** A published location with what its list says of it; empty where it says nothing. */
export type Place = { code: string } & Record<(typeof FACTS)[number], string>;

/**
 * The locations of a dictionary in code-unit order, each once. What stands in one of its lines and not in the others
 * holds for all. Throws SERIES_INVALID as parseDictionary does.
 */
export function listedLocations(bytes: Uint8Array): Place[] {
  parseDictionary(bytes);
  const [head = '', ...lines] = listLines(new TextDecoder().decode(bytes));
  const header = trimmedFields(head);
  const places = new Map<string, Place>();
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const fields = trimmedFields(line);
    const code = fields[header.indexOf('location')]!;
    const place = places.get(code) ?? { code, name: '', latitude: '', longitude: '', parent: '' };
    for (const fact of FACTS) place[fact] ||= fields[header.indexOf(fact)] ?? '';
    places.set(code, place);
  }
  return [...places.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

const trimmedFields = (line: string): string[] => csvFields(line).map((field) => field.trim());

/**
 * The public location dictionary of a mode (C4): a CSV with the columns source,location, or location alone when the
 * source has the published names already; name, latitude, longitude and parent may stand besides. Names are trimmed.
 * Throws SERIES_INVALID with the first mistake.
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
  let all: string[];
  try {
    all = listLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return refused(error instanceof SyntaxError ? error.message : `The list is not UTF-8. ${SAVE_AS_UTF8}`);
  }
  const [head = '', ...lines] = all;
  const header = trimmedFields(head);
  const known = header.every((name) => PLACE_COLUMNS.includes(name));
  if (!header.includes('location') || !known || new Set(header).size < header.length)
    return refused(
      'The first line names the columns: source,location, or location alone; name, latitude, longitude and parent may follow.',
    );
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
  const fields = trimmedFields(line);
  const location = fields[header.indexOf('location')] ?? '';
  const name = header.includes('source') ? (fields[header.indexOf('source')] ?? '') : location;
  if (name === '' || location === '') return 'A field is empty; fill it, or take the line out.';
  if (location === '*') return 'The location cannot be *, which means all of them.';
  if ([...location].length > LONGEST || /\p{Cc}/u.test(location))
    return `A location has at most ${LONGEST} characters and no control characters.`;
  if (!isDegree(fields[header.indexOf('latitude')], 90) || !isDegree(fields[header.indexOf('longitude')], 180))
    return 'A latitude or longitude is no number of degrees, such as -33.8612; mend it, or leave it empty.';
  if (dictionary.has(name)) return 'The name in the source is there twice; take one line out.';
  dictionary.set(name, location);
  return null;
}

/** Is it left out, or degrees as a decimal number? */
const isDegree = (text: string | undefined, most: number): boolean =>
  text === undefined || text === '' || (/^-?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most);
