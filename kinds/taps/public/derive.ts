import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicContext, StagedFile } from '../../../activities/public/context.ts';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import { FILES } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { type CountTable, NO_ROWS } from '../../../core/derive/count-table.ts';
import { type CsvShape, formatCsv } from '../../../core/derive/csv.ts';
import { type DerivedTables, deriveTables } from '../../../core/derive/tables.ts';
import type { TapsSeries } from '../series.ts';
import { writeParquet } from './parquet.ts';
import { placeFiles } from './place-files.ts';
import { privacyFile } from './privacy-file.ts';
import { readPrivatizedTables } from './privatized-tables.ts';
import { releaseCertificate } from './release-certificate.ts';

/** Tables as CSV, all rows as Parquet, the privacy parameters and the certificate. */
export async function deriveTaps(
  context: PublicContext,
  input: DeriveInput,
  series: TapsSeries,
): Promise<StagedFile[]> {
  const tables = deriveTables(await readPrivatizedTables(context.releaseStore, input));
  const certificate = releaseCertificate(series, input.correction);
  return [
    ...csvFiles(series, tables),
    [FILES.parquet, await parquetFile(context, tables)],
    ...(await placeFiles(context.releaseStore, { modes: series.modes, locations: series.bins.locations })),
    [FILES.privacy, jsonBytes(privacyFile(series, input, certificate, input.holes))],
    [FILES.certificate, jsonBytes(certificate)],
  ];
}

/**
 * The tables that the series names; hour rows, remainder rows, margins and left-out taps whenever the series has them.
 */
function csvFiles(series: Pick<TapsSeries, 'tables'>, tables: DerivedTables): StagedFile[] {
  const rows = { 'time-location': tables.cells, time: tables.time, location: tables.location };
  const file = (name: string, shape: CsvShape, table: CountTable): StagedFile => {
    const bytes = formatCsv(shape, table);
    return [name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)];
  };
  const files = series.tables.map((table) => file(FILES.table(table), table, rows[table]));
  if (tables.hours) files.push(file(FILES.hours, 'hours', tables.hours));
  if (tables.remainder) files.push(file(FILES.remainder, 'time-location', tables.remainder));
  if (tables.margins) files.push(file(FILES.margins, 'time-location', tables.margins));
  if (tables.leftOut) files.push(file(FILES.leftOut, 'left-out', tables.leftOut));
  return files;
}

/** The bytes of taps.parquet for these rows. */
export const parquetFile = (
  { scratch }: PublicContext,
  { cells, hours, remainder }: Pick<DerivedTables, 'cells' | 'hours' | 'remainder'>,
): Promise<Buffer> =>
  withScratchFolder(scratch, async (folder) => {
    const path = join(folder, FILES.parquet);
    await writeParquet(path, { cells, hours: hours ?? NO_ROWS, remainder: remainder ?? NO_ROWS });
    return readFile(path);
  });
