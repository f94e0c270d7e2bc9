import { FILES, PUBLISHED_TABLES, type PublishedTable } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import type { CountTable } from '../../../counts/derive/count-table.ts';
import { type CsvDates, formatCsv } from '../../../counts/derive/csv.ts';
import { publishedTables, TABLE_SHAPES } from '../../../counts/derive/published-tables.ts';
import { type DerivedTables, deriveTables } from '../../../counts/derive/tables.ts';
import type { PublicContext, StagedFile } from '../../../services/release/context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
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
): Promise<Record<PublishedTable | 'places' | 'parameters', StagedFile[]>> {
  const tables = deriveTables(await readPrivatizedTables(context.releaseStore, input));
  const certificate = releaseCertificate(series, input.correction);
  return {
    ...(await tableFiles(context.scratch, series.tables, csvDates(series.publication), tables)),
    places: await placeFiles(context.releaseStore, { modes: series.modes, locations: series.bins.locations }),
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
  chosen: TapsSeries['tables'],
  dates: CsvDates,
  derived: DerivedTables,
): Promise<Record<PublishedTable, StagedFile[]>> {
  const named = publishedTables(derived, chosen);
  const typed = (
    Object.entries({ ...named, 'time-location': derived.cells }) as [PublishedTable, CountTable | null][]
  ).flatMap(([name, table]) => (table ? [{ name, table, shape: TABLE_SHAPES[name] }] : []));
  const texts = new Map<PublishedTable, StagedFile>();
  const parquet = await writeParquet(scratch, typed, (place) => {
    const { name, table, shape } = typed[place]!;
    if (!named[name]) return;
    const bytes = formatCsv(shape, table, dates);
    texts.set(name, [FILES.table(name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]);
  });
  const filesOf = (name: PublishedTable): StagedFile[] => {
    const place = typed.findIndex((one) => one.name === name);
    const text = texts.get(name);
    return [
      ...(text ? [text] : []),
      ...(place < 0 ? [] : [[FILES.table(name, 'parquet'), parquet[place]!] as StagedFile]),
    ];
  };
  return Object.fromEntries(PUBLISHED_TABLES.map((name) => [name, filesOf(name)])) as Record<
    PublishedTable,
    StagedFile[]
  >;
}
