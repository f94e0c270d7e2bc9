import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import { formatCsv } from '../../core/derive/csv.ts';
import { type DerivedTables, deriveTables } from '../../core/derive/tables.ts';
import { writeParquet } from '../publication/parquet.ts';
import { privacyFile } from '../publication/privacy-file.ts';
import { readPrivatizedTables } from '../publication/privatized-tables.ts';
import { releaseCertificate } from '../publication/release-certificate.ts';
import { withScratchFolder } from '../scratch-folder.ts';
import { jsonBytes, putOnce } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * Stages all data files: tables as CSV, all rows as Parquet, the privacy parameters and the certificate.
 *
 * Safe to run twice: the files are a pure function of write-once objects, and each is written if absent. Bytes of an
 * earlier run stand, even those of another build; the audit compares what is staged with the privatized tables.
 *
 * @contract C9
 * @contract C18
 * @contract safe-to-retry
 */
export async function derive(context: PublicContext, input: DeriveInput): Promise<void> {
  const series = await readSeries(context.releaseStore, input);
  const tables = deriveTables(await readPrivatizedTables(context.releaseStore, input));
  const certificate = releaseCertificate(series, input.correction);
  const files: [name: string, bytes: Buffer][] = [
    ...csvFiles(series, tables),
    [FILES.parquet, await parquetFile(context, tables)],
    [FILES.privacy, jsonBytes(privacyFile(series, input, certificate, input.holes))],
    [FILES.certificate, jsonBytes(certificate)],
  ];
  for (const [name, bytes] of files) await putOnce(context.releaseStore, RELEASE_KEYS.staged(input, name), bytes);
}

/** The tables that the series names; remainder rows and margins whenever the series has them. */
function csvFiles(series: Pick<Series, 'tables'>, tables: DerivedTables): [name: string, bytes: Buffer][] {
  const rows = { 'time-location': tables.cells, time: tables.time, location: tables.location };
  const texts: [string, string][] = series.tables.map((table) => [FILES.table(table), formatCsv(table, rows[table])]);
  if (tables.remainder) texts.push([FILES.remainder, formatCsv('time-location', tables.remainder)]);
  if (tables.margins) texts.push([FILES.margins, formatCsv('time-location', tables.margins)]);
  return texts.map(([name, text]) => [name, Buffer.from(text, 'utf8')]);
}

/** The bytes of taps.parquet for these rows. */
export const parquetFile = (
  { scratch }: PublicContext,
  { cells, remainder }: Pick<DerivedTables, 'cells' | 'remainder'>,
): Promise<Buffer> =>
  withScratchFolder(scratch, async (folder) => {
    const path = join(folder, FILES.parquet);
    await writeParquet(path, { cells, remainder: remainder ?? [] });
    return readFile(path);
  });
