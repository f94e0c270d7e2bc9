import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicContext, StagedFile } from '../../../activities/public/context.ts';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import { FILES } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { formatCsv } from '../../../core/derive/csv.ts';
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
  const texts: [string, string][] = series.tables.map((table) => [FILES.table(table), formatCsv(table, rows[table])]);
  if (tables.hours) texts.push([FILES.hours, formatCsv('hours', tables.hours)]);
  if (tables.remainder) texts.push([FILES.remainder, formatCsv('time-location', tables.remainder)]);
  if (tables.margins) texts.push([FILES.margins, formatCsv('time-location', tables.margins)]);
  if (tables.leftOut) texts.push([FILES.leftOut, formatCsv('left-out', tables.leftOut)]);
  return texts.map(([name, text]) => [name, Buffer.from(text, 'utf8')]);
}

/** The bytes of taps.parquet for these rows. */
export const parquetFile = (
  { scratch }: PublicContext,
  { cells, hours, remainder }: Pick<DerivedTables, 'cells' | 'hours' | 'remainder'>,
): Promise<Buffer> =>
  withScratchFolder(scratch, async (folder) => {
    const path = join(folder, FILES.parquet);
    await writeParquet(path, { cells, hours: hours ?? [], remainder: remainder ?? [] });
    return readFile(path);
  });
