import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { csvFields, formatCsvRecord, listLines } from '../../core/text/csv.ts';
import { readLocationDictionary } from '../../kinds/taps/location-dictionary.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { withZip } from '../../services/files/zip-file.ts';

/** Which column of the stops of a GTFS feed the source writes. */
export const STOP_FIELDS = ['stop_id', 'stop_code', 'stop_name'] as const;

export type StopChoice = {
  by: (typeof STOP_FIELDS)[number];
  /** A stop is published as the station that it belongs to. */
  parentStations: boolean;
  /** Columns of a list that is no feed: ours → those of the list; null: it has ours. */
  columns: Readonly<Record<string, string>> | null;
};

/** A public list of locations as a series file names it: a CSV of `source,location`. */
export type LocationList = { text: string; locations: number };

const MOST_BYTES = 2 ** 26;
const STOPS = 'stops.txt';

const invalid = (sentence: string): OpalineError => new OpalineError('SERIES_INVALID', sentence);

/**
 * Reads a public list of locations (C4): a CSV with the columns `source,location` (or `location` alone) as it is, or
 * the stops of a GTFS feed, a ZIP archive or a folder. Throws SERIES_INVALID with a sentence for people.
 *
 * @contract C4
 */
export async function readLocationList(path: string, choice: StopChoice): Promise<LocationList> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  const isZip = /\.zip$/i.test(path);
  const text = isZip ? await stopsOfZip(path) : await textOf(isFolder ? join(path, STOPS) : path);
  const list = isZip || isFolder ? stopList(text, choice) : placeList(path, text, choice.columns);
  const { dictionary, mistakes } = readLocationDictionary(Buffer.from(list));
  const [first] = mistakes;
  if (first) throw invalid(`${path}, line ${first.line}: ${first.sentence}`);
  return { text: list, locations: new Set(dictionary.values()).size };
}

async function textOf(path: string): Promise<string> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null)
    throw invalid(
      `${path} ${refusal === 'too large' ? 'is larger than 64 MiB' : 'cannot be read'}; name a CSV of source,location, or a GTFS feed.`,
    );
  return decoded(bytes, path);
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${path} is not UTF-8; save it in that encoding.`);
  }
}

async function stopsOfZip(path: string): Promise<string> {
  const bytes = await withZip(path, async ({ names, read }) => {
    const stops = names.find((name) => name === STOPS) ?? names.find((name) => name.endsWith(`/${STOPS}`));
    if (stops === undefined) return null;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of (await read(stops)) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }).catch(() => null);
  if (bytes === null) throw invalid(`${path} is no ZIP archive with a ${STOPS} of at most 64 MiB.`);
  return decoded(bytes, path);
}

/** Where nobody taps: entrances, nodes of a path and boarding areas (GTFS Schedule, stops.txt, location_type). */
const NO_TAPS = new Set(['2', '3', '4']);

/** What a feed says of a stop, and a list of a location. */
const FACTS = { stop_name: 'name', stop_lat: 'latitude', stop_lon: 'longitude' } as const;

function linesOf(feed: string, name = STOPS): string[] {
  try {
    return listLines(feed);
  } catch (error) {
    throw invalid(`${name}: ${(error as SyntaxError).message}`);
  }
}

/** A list with our columns in the place of its own, line by line. Throws SERIES_INVALID for a column that it has not. */
function placeList(path: string, text: string, columns: StopChoice['columns']): string {
  if (columns === null) return text;
  const [first = '', ...lines] = linesOf(text, path);
  const header = csvFields(first).map((name) => name.trim());
  const missing = Object.values(columns).find((name) => !header.includes(name));
  if (missing !== undefined) throw invalid(`${path} has no column ${missing}.`);
  const places = Object.values(columns).map((name) => header.indexOf(name));
  const records = lines.map((line) => (line.trim() === '' ? [] : places.map((at) => csvFields(line)[at] ?? '')));
  return [Object.keys(columns), ...records].map((record) => formatCsvRecord(record)).join('\n');
}

/**
 * The list of the stops of a feed, with what it says of each location. Throws SERIES_INVALID where one name would mean
 * two locations.
 */
export function stopList(feed: string, { by, parentStations }: Omit<StopChoice, 'columns'>): string {
  const [first = '', ...lines] = linesOf(feed);
  const header = csvFields(first).map((name) => name.trim());
  const column = (name: string) => header.indexOf(name);
  for (const name of ['stop_id', by, ...(parentStations ? ['parent_station'] : [])])
    if (column(name) < 0) throw invalid(`${STOPS} has no column ${name}.`);
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => csvFields(line).map((field) => field.trim()))
    .filter((fields) => !NO_TAPS.has(fields[column('location_type')] ?? ''));
  const facts = Object.keys(FACTS).filter((name) => column(name) >= 0) as (keyof typeof FACTS)[];
  const stops = new Map(rows.map((fields) => [fields[column('stop_id')], fields]));
  const locations = new Map<string, string[]>();
  for (const fields of rows) {
    const name = fields[column(by)] ?? '';
    if (name === '') continue;
    const parent = parentStations ? stops.get(fields[column('parent_station')]) : undefined;
    const place = parent?.[column(by)] ? parent : fields;
    const location = place[column(by)]!;
    if ((locations.get(name)?.[0] ?? location) !== location)
      throw invalid(`Several stops are called ${name} and belong to different stations; take stop_id.`);
    locations.set(name, [location, ...facts.map((fact) => place[column(fact)] ?? '')]);
  }
  if (locations.size === 0) throw invalid(`${STOPS} has no stop with a ${by}.`);
  const head = ['source', 'location', ...facts.map((fact) => FACTS[fact])];
  return `${[head, ...[...locations].map((record) => record.flat())].map((record) => formatCsvRecord(record)).join('\n')}\n`;
}
