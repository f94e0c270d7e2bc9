import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { OpalineError } from '../../contracts/errors.ts';
import { nesting } from '../../core/json/nesting.ts';
import { csvFields, formatCsvRecord, listLines } from '../../core/text/csv.ts';
import { SAVE_AS_UTF8 } from '../../kinds/public-list.ts';
import { PLACE_COLUMNS, readLocationDictionary } from '../../kinds/taps/location-dictionary.ts';
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

/** Name of the list of all modes that have none of their own. */
export const FOR_ALL = 'all';

const MOST_BYTES = 2 ** 26;
const STOPS = 'stops.txt';

const invalid = (sentence: string): OpalineError => new OpalineError('SERIES_INVALID', sentence);

/** Opens a file of a feed; null where it has none of that name. */
type OpenFile = (name: string) => Promise<Readable | null>;

/**
 * Reads public lists of locations (C4): a CSV with the columns `source,location` (or `location` alone) as it is, for all
 * modes; or the stops of a GTFS feed, a ZIP archive or a folder: for each mode whose name gives a type of route, those
 * that its routes serve, and for the other modes all of them. Throws SERIES_INVALID with a sentence for people.
 *
 * @contract C4
 */
export async function readLocationLists(
  path: string,
  choice: StopChoice,
  modes: readonly string[],
): Promise<Map<string, LocationList>> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  const check = (text: string): LocationList => {
    const { content: dictionary, mistakes } = readLocationDictionary(Buffer.from(text));
    const [first] = mistakes;
    if (first) throw invalid(`${path}, line ${first.line}: ${first.sentence}`);
    return { text, locations: new Set(dictionary.values()).size };
  };
  const read = async (open: OpenFile): Promise<Map<string, LocationList>> => {
    const stops = await open(STOPS);
    const feed = stops && (await wholeText(stops, path));
    if (feed === null)
      throw invalid(`${path} is no ${isFolder ? 'folder' : 'ZIP archive'} with a ${STOPS} of at most 64 MiB.`);
    const byMode = await readRouteStops(open, modes);
    const lists = [...byMode].map(([mode, ids]) => [mode, check(stopList(feed, choice, ids))] as const);
    return new Map([...lists, [FOR_ALL, check(stopList(feed, choice))]]);
  };
  if (isFolder)
    return read(async (name) =>
      (await stat(join(path, name)).catch(() => null)) ? createReadStream(join(path, name)) : null,
    );
  if (!/\.zip$/i.test(path)) return new Map([[FOR_ALL, check(placeList(path, await textOf(path), choice.columns))]]);
  return withZip(path, ({ names, read: open }) => {
    const find = (name: string) => names.find((one) => one === name) ?? names.find((one) => one.endsWith(`/${name}`));
    return read(async (name) => (find(name) === undefined ? null : open(find(name)!)));
  }).catch((error: unknown) => {
    if (error instanceof OpalineError) throw error;
    throw invalid(`${path} is no ZIP archive with a ${STOPS} of at most 64 MiB.`);
  });
}

async function textOf(path: string): Promise<string> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null)
    throw invalid(
      `${path} ${refusal === 'too large' ? 'is larger than 64 MiB' : 'cannot be read'}; name a CSV or JSON list, or a GTFS feed.`,
    );
  const text = decode(bytes, path);
  return /\.(geo)?json$/i.test(path) ? listOfJson(path, text) : text;
}

/** GeoJSON has seven levels, and nobody writes 1,000 columns by hand. */
const MOST_LEVELS = 50;
const MOST_COLUMNS = 1_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * A JSON document as a CSV: its longest list of objects that is in no other list. Its columns are the names that lead to
 * each value, with dots between, such as `properties.name` and `geometry.coordinates.0` of GeoJSON.
 */
function listOfJson(path: string, text: string): string {
  const objects = longestList(jsonOf(path, text)).map((one) => new Map(leavesOf(one)));
  const names = [...new Set(objects.flatMap((one) => [...one.keys()]))];
  if (names.length === 0 || names.length > MOST_COLUMNS)
    throw invalid(`${path} has no list of objects of one form; take a list of places.`);
  const records = [names, ...objects.map((one) => names.map((name) => one.get(name) ?? ''))];
  return records.map((record) => formatCsvRecord(record)).join('\n');
}

/** Numbers stay as they are written: as doubles, long ids would be others. */
function jsonOf(path: string, text: string): unknown {
  const asWritten = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value;
  try {
    if (nesting(text) <= MOST_LEVELS) return JSON.parse(text, asWritten);
  } catch {} // it is no JSON
  throw invalid(`${path} is no JSON document of at most ${MOST_LEVELS} levels.`);
}

function longestList(value: unknown): object[] {
  if (Array.isArray(value)) return value.every(isObject) ? value : [];
  const lists = isObject(value) ? Object.values(value).map(longestList) : [];
  return lists.reduce((a, b) => (b.length > a.length ? b : a), []);
}

function leavesOf(value: unknown, name = ''): [name: string, text: string][] {
  if (!isObject(value)) return [[name, value === null ? '' : `${value}`]];
  return Object.entries(value).flatMap(([own, one]) => leavesOf(one, name === '' ? own : `${name}.${own}`));
}

function decode(bytes: Uint8Array, path: string): string {
  if (!isUtf8(bytes)) throw invalid(`${path} is not UTF-8. ${SAVE_AS_UTF8}`);
  return new TextDecoder().decode(bytes);
}

/** Null: it is too large. */
async function wholeText(stream: Readable, path: string): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks), path);
}

/** Types of routes by words in the name of a mode (GTFS Schedule, routes.txt, route_type, and its extended types). */
const ROUTE_TYPES: readonly [name: RegExp, types: RegExp][] = [
  [/bus/, /^(3|11|7\d\d|8\d\d)$/],
  [/tram|light-?rail|streetcar/, /^(0|9\d\d)$/],
  [/metro|subway|underground/, /^(1|4\d\d)$/],
  [/train|rail/, /^(2|1\d\d)$/],
  [/ferry|boat/, /^(4|1000|1200)$/],
  [/coach/, /^2\d\d$/],
  [/cable/, /^5$/],
  [/gondola/, /^(6|13\d\d)$/],
  [/funicular/, /^(7|14\d\d)$/],
  [/monorail/, /^12$/],
];

/** Stops of the routes of each mode that a type of route is known for; none where the feed has no routes. */
async function readRouteStops(open: OpenFile, modes: readonly string[]): Promise<Map<string, Set<string>>> {
  const modeOf = (type: string) => modes.find((mode) => ROUTE_TYPES.find(([name]) => name.test(mode))?.[1].test(type));
  const byMode = new Map<string, Set<string>>();
  const [modeOfRoute, modeOfTrip] = [new Map<string, string>(), new Map<string, string>()];
  await eachRow(open, 'routes.txt', ['route_type', 'route_id'], (type, route) => {
    const mode = modeOf(type);
    if (mode !== undefined) modeOfRoute.set(route, mode);
  });
  await eachRow(open, 'trips.txt', ['route_id', 'trip_id'], (route, trip) => {
    const mode = modeOfRoute.get(route);
    if (mode !== undefined) modeOfTrip.set(trip, mode);
  });
  await eachRow(open, 'stop_times.txt', ['trip_id', 'stop_id'], (trip, stop) => {
    const mode = modeOfTrip.get(trip);
    if (mode !== undefined) byMode.set(mode, (byMode.get(mode) ?? new Set()).add(stop));
  });
  return byMode;
}

/** Two columns of every row of a file of a feed; nothing where it is not there. Throws SERIES_INVALID. */
async function eachRow(
  open: OpenFile,
  name: string,
  columns: readonly [string, string],
  take: (first: string, second: string) => void,
): Promise<void> {
  const stream = await open(name);
  if (!stream) return;
  let places: number[] | null = null;
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const fields = csvFields(line).map((field) => field.trim());
    if (places === null) {
      places = columns.map((column) => fields.indexOf(column));
      if (places.includes(-1)) throw invalid(`${name} has no column ${columns[places.indexOf(-1)]}.`);
    } else if (line !== '') take(fields[places[0]!] ?? '', fields[places[1]!] ?? '');
  }
}

/** Where nobody taps: entrances, nodes of a path and boarding areas (GTFS Schedule, stops.txt, location_type). */
const NO_TAPS = new Set(['2', '3', '4']);

/** What a feed says of a stop, and a list of a location. */
const FACTS = { stop_name: 'name', stop_lat: 'latitude', stop_lon: 'longitude' } as const;

/** The names of the columns of a list, and the fields of its rows; of a blank line none. Throws SERIES_INVALID. */
function tableOf(text: string, path: string, delimiterOf: (header: string) => string = () => ',') {
  try {
    const [first = '', ...lines] = listLines(text);
    const delimiter = delimiterOf(first);
    const header = csvFields(first, delimiter).map((name) => name.trim());
    return { header, rows: () => lines.map((line) => (line.trim() === '' ? [] : csvFields(line, delimiter))) };
  } catch (error) {
    throw invalid(`${path}: ${(error as SyntaxError).message}`);
  }
}

/** Names of the columns of a list that --place-columns has to explain; null for one that has ours, and for a feed. */
export async function foreignColumns(path: string): Promise<string[] | null> {
  if (/\.zip$/i.test(path) || (await stat(path).catch(() => null))?.isDirectory()) return null;
  const { header } = tableOf(await textOf(path), path, usualDelimiter);
  const isOurs = header.includes('location') && header.every((name) => PLACE_COLUMNS.includes(name));
  return isOurs ? null : header;
}

/** What is between the names of a list: what divides its header row into the most. */
const usualDelimiter = (header: string): string =>
  [',', ';', '\t', '|'].reduce((a, b) => (csvFields(header, b).length > csvFields(header, a).length ? b : a));

/** With the point of our lists: where no comma divides the fields, a number may contain one. */
const withPoint = (ours: string, value: string): string =>
  ours === 'latitude' || ours === 'longitude' ? value.replace(',', '.') : value;

/** A list with our columns instead of its own, line by line. Throws SERIES_INVALID for a column that it has not. */
function placeList(path: string, text: string, columns: StopChoice['columns']): string {
  if (columns === null) return text;
  const { header, rows } = tableOf(text, path, usualDelimiter);
  const gap = Object.values(columns).find((name) => !header.includes(name));
  if (gap !== undefined) throw invalid(`${path} has no column ${gap}; it has ${header.join(', ')}.`);
  const places = Object.entries(columns).map(([ours, name]) => [ours, header.indexOf(name)] as const);
  const recordOf = (fields: readonly string[]) => places.map(([ours, at]) => withPoint(ours, fields[at] ?? ''));
  const records = rows().map((fields) => (fields.length === 0 ? [] : recordOf(fields)));
  return [Object.keys(columns), ...records].map((record) => formatCsvRecord(record)).join('\n');
}

/**
 * The list of the stops of a feed, or of those that are served and their stations, with what it says of each location.
 * Throws SERIES_INVALID where one name would mean two locations.
 */
export function stopList(
  feed: string,
  { by, parentStations }: Omit<StopChoice, 'columns'>,
  ids: ReadonlySet<string> | null = null,
): string {
  const { header, rows } = tableOf(feed, STOPS);
  for (const name of ['stop_id', by, ...(parentStations ? ['parent_station'] : [])])
    if (!header.includes(name)) throw invalid(`${STOPS} has no column ${name}.`);
  const field = (stop: readonly string[], name: string): string => stop[header.indexOf(name)]?.trim() ?? '';
  const stops = rows().filter((stop) => stop.length > 0 && !NO_TAPS.has(field(stop, 'location_type')));
  const facts = Object.keys(FACTS).filter((name) => header.includes(name)) as (keyof typeof FACTS)[];
  const byId = new Map(stops.map((stop) => [field(stop, 'stop_id'), stop]));
  const isServed = (stop: readonly string[]): boolean => ids?.has(field(stop, 'stop_id')) ?? true;
  // What the source writes may be a station, where a stop of it is served.
  const stations = new Set(stops.filter(isServed).map((stop) => field(stop, 'parent_station')));
  const locations = new Map<string, string[]>();
  for (const stop of stops) {
    const name = field(stop, by);
    if (name === '' || !(isServed(stop) || stations.has(field(stop, 'stop_id')))) continue;
    const parent = parentStations ? byId.get(field(stop, 'parent_station')) : undefined;
    const place = parent && field(parent, by) !== '' ? parent : stop;
    const location = field(place, by);
    if ((locations.get(name)?.[0] ?? location) !== location)
      throw invalid(`Several stops are called ${name} and belong to different stations; take stop_id.`);
    locations.set(name, [location, ...facts.map((fact) => field(place, fact))]);
  }
  if (locations.size === 0) throw invalid(`${STOPS} has no stop with a ${by}.`);
  const head = ['source', 'location', ...facts.map((fact) => FACTS[fact])];
  return `${[head, ...[...locations].map((record) => record.flat())].map((record) => formatCsvRecord(record)).join('\n')}\n`;
}
