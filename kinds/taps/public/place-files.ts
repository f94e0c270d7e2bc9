import { FILES } from '../../../contracts/names.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import { formatCsvRecord, LINE_END } from '../../../core/text/csv.ts';
import { fileOf, type ReleaseFiles } from '../../../services/publication/staged-files.ts';
import type { StagedFile } from '../../../services/release/context.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { listedLocations, parseDictionary } from '../location-dictionary.ts';
import type { PrivacyFile } from './privacy-file.ts';

type Domain = Pick<PrivacyFile['domain'], 'modes' | 'locations'>;

/** Columns of places.csv. */
export const PLACE_COLUMNS = [
  'mode',
  'loc',
  'name',
  'latitude',
  'longitude',
  'parent',
  'source',
  'licence',
  'version',
] as const;

/** places.csv: the locations of every mode, by mode and code, from the bytes of their lists. */
export function placesFile({ modes, locations }: Domain, lists: ReadonlyMap<string, Uint8Array>): Buffer {
  const rows = [...modes].sort().flatMap((mode) => {
    const { unknown, list } = locations[mode]!;
    const known = listedLocations(lists.get(mode)!);
    const rest = {
      code: unknown,
      name: 'All places that the list does not have',
      latitude: '',
      longitude: '',
      parent: '',
    };
    const places = known.some(({ code }) => code === unknown) ? known : [...known, rest];
    return places
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, name, latitude, longitude, parent }) => [
        ...[mode, code, name === '' ? code : name, latitude, longitude, parent],
        ...[list?.source ?? '', list?.licence ?? '', list?.version ?? ''],
      ]);
  });
  return Buffer.from([PLACE_COLUMNS, ...rows].map((fields) => formatCsvRecord(fields) + LINE_END).join(''), 'utf8');
}

/** The public lists of a release as they are, and places.csv with all of them in one form (C4). */
export async function placeFiles(store: ObjectStore, domain: Domain): Promise<StagedFile[]> {
  const lists = new Map<string, Buffer>();
  for (const mode of domain.modes) lists.set(mode, await readDictionary(store, domain.locations[mode]!.dictionary));
  return [
    ...[...lists].map(([mode, bytes]): StagedFile => [FILES.placeList(mode), bytes]),
    [FILES.places, placesFile(domain, lists)],
  ];
}

/** The lists among the files of a release, by mode. Throws VERIFICATION_FAILED when one is missing. */
export const publishedLists = (files: ReleaseFiles, modes: readonly string[]): Map<string, Buffer> =>
  new Map(modes.map((mode) => [mode, fileOf(files, FILES.placeList(mode))]));

/** The public domain of places that published lists give, by mode. */
export const listedPlaces = (
  { locations }: Domain,
  lists: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...lists].map(([mode, bytes]) => [mode, new Set([...parseDictionary(bytes).values(), locations[mode]!.unknown])]),
  );
