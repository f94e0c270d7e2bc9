import { FILES } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { publishedTables } from '../../../counts/derive/published-tables.ts';
import { type DerivedTables, deriveTables } from '../../../counts/derive/tables.ts';
import { PUBLISHED_TABLES, type PublishedTable } from '../../../counts/tables/tap-tables.ts';
import { formatTable } from '../../../services/publication/table-csv.ts';
import { writeParquet } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import type { TapsSeries } from '../series.ts';
import { placeFiles } from './place-files.ts';
import { csvDates, privacyFile } from './privacy-file.ts';
import { readPrivatizedTables } from './privatized-tables.ts';
import { releaseCertificate } from './release-certificate.ts';
import { TAPS_TABLES, tapsColumns } from './tables.ts';

/** Each table as CSV and as Parquet, the lists of places, the privacy parameters and the certificate. */
export async function deriveTaps(
  context: PublicContext,
  input: DeriveInput,
  series: TapsSeries,
): Promise<Record<PublishedTable | 'places' | 'parameters', StagedFile[]>> {
  const tables = deriveTables(await readPrivatizedTables(context.releaseStore, input));
  const certificate = releaseCertificate(series, input.correction);
  return {
    ...(await tableFiles(context.scratch, series, tables)),
    places: await placeFiles(context, { modes: series.modes, locations: series.bins.locations }),
    parameters: [
      [FILES.privacy, jsonBytes(privacyFile(series, input, certificate, input.holes))],
      [FILES.certificate, jsonBytes(certificate)],
    ],
  };
}

/**
 * The files of each table: of those that the series names, and of all that its privacy parameters call for. Cells are
 * there as Parquet in any case: what is checked of a release begins with them.
 */
export async function tableFiles(
  scratch: string,
  { tables: chosen, publication, bins }: Pick<TapsSeries, 'tables' | 'publication' | 'bins'>,
  derived: DerivedTables,
): Promise<Record<PublishedTable, StagedFile[]>> {
  const dates = csvDates(publication);
  const named = publishedTables(derived, chosen);
  const typed = PUBLISHED_TABLES.flatMap((name) => {
    const rows = name === 'time-location' ? derived.cells : named[name];
    const table = TAPS_TABLES[name];
    return rows ? [{ name, table, rows: tapsColumns(table, rows, bins.minutes) }] : [];
  });
  const files = Object.fromEntries(PUBLISHED_TABLES.map((name): [string, StagedFile[]] => [name, []]));
  const parquet = await writeParquet(scratch, typed, (place) => {
    const { name, table, rows } = typed[place]!;
    if (named[name]) files[name]!.push([FILES.table(name), formatTable(table, rows, dates)]);
  });
  for (const [place, { name }] of typed.entries()) files[name]!.push([FILES.table(name, 'parquet'), parquet[place]!]);
  return files as Record<PublishedTable, StagedFile[]>;
}
