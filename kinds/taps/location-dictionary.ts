import { type ListRow, type ReadList, readPublicList, soundList } from '../public-list.ts';

/** Name in the source → published location. */
export type Dictionary = Map<string, string>;

/** Longest location that is read. */
const LONGEST = 200;

/** Columns that a dictionary may have besides; they say something of the location, and are published with it. */
const FACTS = ['name', 'latitude', 'longitude', 'parent'] as const;
const COLUMNS = {
  needed: ['location'],
  others: ['source', ...FACTS],
  sentence:
    'The first line names the columns: source,location, or location alone; name, latitude, longitude and parent may follow.',
};
/** All columns that a dictionary may have. */
export const PLACE_COLUMNS: readonly string[] = [...COLUMNS.others, ...COLUMNS.needed];

/** A published location with what its list says of it; empty where it says nothing. */
export type Place = { code: string } & Record<(typeof FACTS)[number], string>;

/**
 * The locations of a dictionary in code-unit order, each once. What one line of a location says, and the others do not,
 * holds for all. Throws SERIES_INVALID as parseDictionary does.
 */
export function parseLocations(bytes: Uint8Array): Place[] {
  parseDictionary(bytes);
  const places = new Map<string, Place>();
  readPublicList(bytes, COLUMNS, ({ location: code = '', ...row }) => {
    const place = places.get(code) ?? { code, name: '', latitude: '', longitude: '', parent: '' };
    for (const fact of FACTS) place[fact] ||= row[fact] ?? '';
    places.set(code, place);
    return null;
  });
  return [...places.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/**
 * The public location dictionary of a mode (C4): a CSV with the columns source,location, or location alone when the
 * source has the published names already; name, latitude, longitude and parent may be there too. Names are trimmed.
 * Throws SERIES_INVALID with the first mistake.
 */
export const parseDictionary = soundList(readLocationDictionary, 'a location dictionary');

/** The same with every mistake, in the order of the lines. */
export function readLocationDictionary(bytes: Uint8Array): ReadList<Dictionary> {
  const dictionary: Dictionary = new Map();
  const mistakes = readPublicList(bytes, COLUMNS, (row) => addRow(dictionary, row));
  if (dictionary.size + mistakes.length === 0)
    mistakes.push({ line: 1, sentence: 'The dictionary has no locations; add some.' });
  return { content: dictionary, mistakes };
}

/** Adds the row of a line, or says what is wrong with it. */
function addRow(dictionary: Dictionary, row: ListRow): string | null {
  const { location = '', source: name = location, latitude, longitude } = row;
  if (name === '' || location === '') return 'A field is empty; fill it, or take the line out.';
  if (location === '*') return 'The location cannot be *, which means all of them.';
  if ([...location].length > LONGEST || /\p{Cc}/u.test(location))
    return `A location has at most ${LONGEST} characters and no control characters.`;
  if (!isDegree(latitude, 90) || !isDegree(longitude, 180))
    return 'A latitude or longitude is no number of degrees, such as -33.8612; mend it, or leave it empty.';
  if (dictionary.has(name)) return 'The name in the source is there twice; take one line out.';
  dictionary.set(name, location);
  return null;
}

/** Is it left out, or degrees as a decimal number? */
const isDegree = (text: string | undefined, most: number): boolean =>
  text === undefined || text === '' || (/^-?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most);
