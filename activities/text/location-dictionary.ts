import { OpalineError } from '../../contracts/errors.ts';
import { csvFields } from './csv-line.ts';

/** Name in the source → published location. */
export type Dictionary = Map<string, string>;

/**
 * The public location dictionary of a mode (C4): a CSV with the columns source,location, or location alone when the
 * source has the published names already. Names are trimmed; of two rows for one source name the first counts.
 * Throws SERIES_INVALID when a column is missing.
 */
export function parseDictionary(bytes: Buffer): Dictionary {
  const [head = '', ...lines] = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const header = csvFields(head, ',').map((field) => field.trim());
  const location = header.indexOf('location');
  const source = header.includes('source') ? header.indexOf('source') : location;
  if (location < 0) {
    throw new OpalineError('SERIES_INVALID', 'A location dictionary has no column named location; add it.');
  }
  const dictionary: Dictionary = new Map();
  for (const line of lines) {
    const fields = csvFields(line, ',');
    const name = fields[source]?.trim() ?? '';
    const published = fields[location]?.trim() ?? '';
    if (name !== '' && published !== '' && !dictionary.has(name)) dictionary.set(name, published);
  }
  return dictionary;
}
