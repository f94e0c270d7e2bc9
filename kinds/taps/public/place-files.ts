import type { ObjectStore } from '../../../contracts/object-store.ts';
import { type ColumnType, columnsOfRows, type TableDefinition } from '../../../core/table/published-table.ts';
import { fileOf, type ReleaseFiles } from '../../../services/publication/staged-files.ts';
import { formatTable } from '../../../services/publication/table-csv.ts';
import type { StagedFile } from '../../../services/release/public-context.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { listedLocations, parseDictionary } from '../location-dictionary.ts';
import type { PrivacyFile } from './privacy-file.ts';

/** The name for people of all places that a list does not have. */
export const UNLISTED = 'Places not in the list';

type Domain = Pick<PrivacyFile['domain'], 'modes' | 'locations'>;

const column = (name: string, type: ColumnType, description: string, optional = true) => ({
  ...{ name, field: name, type },
  meaning: () => ({ description, optional }),
});

/** places.csv. */
export const PLACES: TableDefinition<string, Pick<Domain, 'modes'>> = {
  name: 'places',
  title: 'Places',
  description: 'Every place that a row can name, with what its public list says of it.',
  columns: [
    {
      ...{ name: 'mode', field: 'mode', type: 'text' },
      meaning: ({ modes }) => ({ description: 'Mode of transport.', values: modes }),
    },
    column('loc', 'text', 'Place, as the tables name it.', false),
    column('name', 'text', 'Name for people.', false),
    column('latitude', 'listed', 'Degrees north (WGS 84); empty where the list has none.'),
    column('longitude', 'listed', 'Degrees east (WGS 84); empty where the list has none.'),
    column('parent', 'text', 'The place that it is a part of; empty where the list has none.'),
    column('source', 'text', 'Where the list is from.'),
    column('licence', 'text', 'Licence of the list.'),
    column('version', 'text', 'Version of the list.'),
  ],
  key: ['mode', 'loc'],
};

/** places.csv: the locations of every mode, by mode and code, from the bytes of their lists. */
export function placesFile({ modes, locations }: Domain, lists: ReadonlyMap<string, Uint8Array>): Buffer {
  const rows = [...modes].sort().flatMap((mode) => {
    const { unknown, list } = locations[mode]!;
    const known = listedLocations(lists.get(mode)!);
    const rest = {
      code: unknown,
      name: UNLISTED,
      latitude: '',
      longitude: '',
      parent: '',
    };
    const places = known.some(({ code }) => code === unknown) ? known : [...known, rest];
    return places
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, name, ...place }) => ({
        ...{ source: list?.source ?? '', licence: list?.licence ?? '', version: list?.version ?? '' },
        ...{ ...place, mode, loc: code, name: name === '' ? code : name },
      }));
  });
  return formatTable(PLACES, columnsOfRows(PLACES, rows));
}

/** All public lists of places in one form, and each as it is. */
export const PLACE_FILES = { all: 'places.csv', of: (mode: string) => `places-${mode}.csv` } as const;

/** The public lists of a release as they are, and places.csv with all of them in one form (C4). */
export async function placeFiles(store: ObjectStore, domain: Domain): Promise<StagedFile[]> {
  const lists = new Map<string, Buffer>();
  for (const mode of domain.modes) lists.set(mode, await readDictionary(store, domain.locations[mode]!.dictionary));
  return [
    ...[...lists].map(([mode, bytes]): StagedFile => [PLACE_FILES.of(mode), bytes]),
    [PLACE_FILES.all, placesFile(domain, lists)],
  ];
}

/** The lists among the files of a release, by mode. Throws VERIFICATION_FAILED when one is missing. */
export const publishedLists = (files: ReleaseFiles, modes: readonly string[]): Map<string, Buffer> =>
  new Map(modes.map((mode) => [mode, fileOf(files, PLACE_FILES.of(mode))]));

/** The public domain of places that published lists give, by mode. */
export const listedPlaces = (
  { locations }: Domain,
  lists: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...lists].map(([mode, bytes]) => [mode, new Set([...parseDictionary(bytes).values(), locations[mode]!.unknown])]),
  );
