import { FILES } from '../../../contracts/names.ts';
import {
  type Coded,
  type ColumnsOfTable,
  type ColumnType,
  columnsFor,
  columnsOfRows,
  type TableDefinition,
} from '../../../core/table/published-table.ts';
import { mostRowsOf, readTable } from '../../../services/publication/parquet-columns.ts';
import { fileOf, type ReleaseFiles } from '../../../services/publication/staged-files.ts';
import { formatTable, isTableOf } from '../../../services/publication/table-csv.ts';
import { parseDictionary, parseLocations } from '../location-dictionary.ts';
import type { PrivacyFile } from './privacy-file.ts';

/** The name for people of all places that a list does not have. */
export const UNLISTED = 'Places not in the list';

/** The bytes of the public list of places of each mode. */
export type PlaceLists = ReadonlyMap<string, Uint8Array>;

export type PlaceDomain = Pick<PrivacyFile['domain'], 'modes' | 'locations'>;

const column = columnsFor<Pick<PlaceDomain, 'modes'>>();

const define = (name: string, type: ColumnType, description: string, optional = true) =>
  column(name, name, type, () => ({ description, optional }));

/** places.csv and places.parquet. */
export const PLACES: TableDefinition<string, Pick<PlaceDomain, 'modes'>> = {
  name: 'places',
  title: 'Places',
  description:
    'Every place that a row can name, with what its public list says of it; its columns mode and loc are those of the tables.',
  columns: [
    column('mode', 'mode', 'text', ({ modes }) => ({ description: 'Mode of transport.', values: modes })),
    define('loc', 'text', 'Place, as the tables name it.', false),
    define('name', 'text', 'Name for people.', false),
    define('latitude', 'listed', 'Degrees north (WGS 84); empty where the list has none.'),
    define('longitude', 'listed', 'Degrees east (WGS 84); empty where the list has none.'),
    define('parent', 'text', 'The place that it is a part of; empty where the list has none.'),
    define('source', 'text', 'Where the list is from.'),
    define('licence', 'text', 'Licence of the list.'),
    define('version', 'text', 'Version of the list.'),
  ],
  key: ['mode', 'loc'],
};

/** The locations of every mode, by mode and code, from the bytes of their lists. */
export function placeRows({ modes, locations }: PlaceDomain, lists: PlaceLists): ColumnsOfTable {
  const rows = [...modes].sort().flatMap((mode) => {
    const { unknown, list } = locations[mode]!;
    const entries = parseLocations(lists.get(mode)!);
    const rest = { code: unknown, name: UNLISTED, latitude: '', longitude: '', parent: '' };
    const places = entries.some(({ code }) => code === unknown) ? entries : [...entries, rest];
    return places
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, name, ...place }) => ({
        source: list?.source ?? '',
        licence: list?.licence ?? '',
        version: list?.version ?? '',
        ...place,
        mode,
        loc: code,
        name: name === '' ? code : name,
      }));
  });
  return columnsOfRows(PLACES, rows);
}

/** All public lists of places in one form, and each as it is. */
export const PLACE_FILES = { all: FILES.table(PLACES.name), of: (mode: string) => `places-${mode}.csv` } as const;

/** Do places.csv and places.parquet follow from the lists? Throws SyntaxError for a Parquet file that is not ours. */
export function arePlacesOf(domain: PlaceDomain, lists: PlaceLists, files: ReleaseFiles): boolean {
  const rows = placeRows(domain, lists);
  const csv = formatTable(PLACES, rows);
  const parquet = readTable(PLACES, fileOf(files, FILES.table(PLACES.name, 'parquet')), mostRowsOf(csv));
  const asNumbers = ({ texts, codes }: Coded) => ({ texts: texts.map((one) => one && `${Number(one)}`), codes });
  const columns = {
    ...rows,
    latitude: asNumbers(rows.latitude as Coded),
    longitude: asNumbers(rows.longitude as Coded),
  };
  return csv.equals(fileOf(files, PLACE_FILES.all)) && isTableOf(PLACES, parquet, formatTable(PLACES, columns));
}

/** The lists among the files of a release, by mode. Throws VERIFICATION_FAILED when one is missing. */
export const readLists = (files: ReleaseFiles, modes: readonly string[]): Map<string, Buffer> =>
  new Map(modes.map((mode) => [mode, fileOf(files, PLACE_FILES.of(mode))]));

/** The public domain of places that published lists give, by mode. */
export const listPlaces = ({ locations }: PlaceDomain, lists: PlaceLists): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...lists].map(([mode, bytes]) => [mode, new Set([...parseDictionary(bytes).values(), locations[mode]!.unknown])]),
  );
