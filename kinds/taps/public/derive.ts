import type { Certificate } from '../../../contracts/certificate.ts';
import { FILES, type Partition } from '../../../contracts/names.ts';
import { splitTables } from '../../../counts/derive/published-tables.ts';
import { sumsOfTable } from '../../../counts/derive/table-totals.ts';
import { deriveTables, type ReleaseTables } from '../../../counts/derive/tables.ts';
import { dayTotals } from '../../../counts/readers/shown-taps.ts';
import { PUBLISHED_TABLES, type PublishedTable } from '../../../counts/tables/tap-tables.ts';
import { formatTable } from '../../../services/publication/table-csv.ts';
import { type WrittenTable, writeForms, writeParquet } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, PublicKind, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { readDrawnTables } from '../../drawn-tables.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import { type TapsSeries, tapsSeries } from '../series.ts';
import { PLACE_FILES, PLACES, type PlaceDomain, placeRows } from './place-files.ts';
import { csvDates, privacyFile } from './privacy-file.ts';
import { releaseCertificate } from './release-certificate.ts';
import { TAPS_TABLES, tapsColumns, totalColumns, totalsTable } from './tables.ts';

/** Each table as CSV and as Parquet, the lists of places, the privacy parameters and the certificate. */
export const deriveTaps: PublicKind['derive'] = async (context, input, document) => {
  const series = tapsSeries(document);
  const tables = deriveTables(await readDrawnTables(context.releaseStore, input, privatizedTableSchema));
  const certificate = releaseCertificate(series, input.correction);
  const partitions = input.draws.map(({ partition }) => partition);
  return {
    ...(await tableFiles(context.scratch, tables, series, certificate, partitions)),
    places: await placeFiles(context, { modes: series.modes, locations: series.bins.locations }),
    parameters: [
      [FILES.privacy, jsonBytes(privacyFile(series, input, certificate))],
      [FILES.certificate, jsonBytes(certificate)],
    ],
  };
};

/**
 * The files of each table: of those that the series names, and of all that its privacy parameters call for. Cells are
 * there as Parquet in any case: what is checked of a release begins with them. `partitions`: those that have totals.
 */
async function tableFiles(
  scratch: string,
  tables: ReleaseTables,
  { tables: chosen, publication, bins }: TapsSeries,
  certificate: Certificate,
  partitions: readonly Partition[],
): Promise<Record<PublishedTable | 'totals', StagedFile[]>> {
  const choice = { ...splitTables(tables, chosen), totals: true };
  const batch: (WrittenTable & { table: { name: keyof typeof choice } })[] = [];
  const sums = new Map<PublishedTable, ReturnType<typeof sumsOfTable>>();
  for (const name of PUBLISHED_TABLES) {
    const rows = name === 'time-location' ? tables.cells : choice[name];
    if (rows) batch.push({ table: TAPS_TABLES[name], rows: tapsColumns(TAPS_TABLES[name], rows, bins.minutes) });
    if (rows) sums.set(name, sumsOfTable(rows));
  }
  const totals = totalsTable(certificate);
  batch.push({ table: totals, rows: totalColumns(totals, dayTotals(sums, partitions, certificate)) });
  const files = Object.fromEntries(Object.keys(choice).map((name): [string, StagedFile[]] => [name, []]));
  const parquet = await writeParquet(scratch, batch, (place) => {
    const { table, rows } = batch[place]!;
    if (choice[table.name])
      files[table.name]!.push([FILES.table(table.name), formatTable(table, rows, csvDates(publication))]);
  });
  for (const [place, { table }] of batch.entries())
    files[table.name]!.push([FILES.table(table.name, 'parquet'), parquet[place]!]);
  return files as Record<PublishedTable | 'totals', StagedFile[]>;
}

/** The public lists of a release as they are, and tables with all of them in one form (C4). */
async function placeFiles(
  { releaseStore, scratch }: Pick<PublicContext, 'releaseStore' | 'scratch'>,
  domain: PlaceDomain,
): Promise<StagedFile[]> {
  const lists = new Map<string, Buffer>();
  for (const mode of domain.modes)
    lists.set(mode, await readDictionary(releaseStore, domain.locations[mode]!.dictionary));
  return [
    ...[...lists].map(([mode, bytes]): StagedFile => [PLACE_FILES.of(mode), bytes]),
    ...(await writeForms(scratch, PLACES, placeRows(domain, lists))),
  ];
}
