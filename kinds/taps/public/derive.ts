import type { PublicContext, StagedFile } from '../../../activities/public/context.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import { FILES, type PublishedTable } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import type { CountTable } from '../../../core/derive/count-table.ts';
import { type CsvDates, formatCsv } from '../../../core/derive/csv.ts';
import { publishedTables, TABLE_SHAPES } from '../../../core/derive/published-tables.ts';
import { type DerivedTables, deriveTables } from '../../../core/derive/tables.ts';
import type { TapsSeries } from '../series.ts';
import { writeParquet } from './parquet.ts';
import { placeFiles } from './place-files.ts';
import { csvDates, privacyFile } from './privacy-file.ts';
import { readPrivatizedTables } from './privatized-tables.ts';
import { releaseCertificate } from './release-certificate.ts';

/** Each table as CSV and as Parquet, the lists of places, the privacy parameters and the certificate. */
export async function deriveTaps(
  context: PublicContext,
  input: DeriveInput,
  series: TapsSeries,
): Promise<StagedFile[]> {
  const tables = deriveTables(await readPrivatizedTables(context.releaseStore, input));
  const certificate = releaseCertificate(series, input.correction);
  return [
    ...(await tableFiles(context.scratch, series.tables, csvDates(series.publication), tables)),
    ...(await placeFiles(context.releaseStore, { modes: series.modes, locations: series.bins.locations })),
    [FILES.privacy, jsonBytes(privacyFile(series, input, certificate, input.holes))],
    [FILES.certificate, jsonBytes(certificate)],
  ];
}

/**
 * The tables that the series names, and all that its privacy parameters call for. Cells are there as Parquet in any case:
 * what is checked of a release begins with them.
 */
export async function tableFiles(
  scratch: string,
  chosen: TapsSeries['tables'],
  dates: CsvDates,
  derived: DerivedTables,
): Promise<StagedFile[]> {
  const named = publishedTables(derived, chosen);
  const typed = [...new Map<PublishedTable, CountTable>([['time-location', derived.cells], ...named])];
  const files: StagedFile[] = [];
  const parquet = await writeParquet(
    scratch,
    typed.map(([name, table]) => ({ shape: TABLE_SHAPES[name], table })),
    (place) => {
      const [name, table] = typed[place]!;
      if (!named.has(name)) return;
      const bytes = formatCsv(TABLE_SHAPES[name], table, dates);
      files.push([FILES.table(name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]);
    },
  );
  return [...files, ...typed.map(([name], place): StagedFile => [FILES.table(name, 'parquet'), parquet[place]!])];
}
