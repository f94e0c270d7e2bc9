import { type FileMetaData, parquetMetadata, parquetRead } from 'hyparquet';
import {
  dayOfNumber,
  PARQUET_READING,
  parquetBuffer,
  parquetColumns,
  utf8Text,
  withStoredNumbers,
} from '../../../activities/publication/parquet-columns.ts';
import type { ParquetFacts } from '../../../core/audit/subject.ts';
import { ALL } from '../../../core/derive/count-row.ts';
import { type CountTable, countTableBuilder } from '../../../core/derive/count-table.ts';
import { CSV_COLUMNS, type CsvShape } from '../../../core/derive/csv.ts';

/** The type of each column in Parquet; what is not named is text. */
const TYPES: Readonly<Record<string, string>> = { date: 'DATE', count: 'INT_64' };

/** Throws SyntaxError when the columns are not these, in this order and of their types. */
function metadataOf(file: ArrayBuffer, names: readonly string[]): FileMetaData {
  const metadata = parquetMetadata(file, { geoparquet: false });
  const columns = parquetColumns(metadata).map((column) => column.replace(/ INT64$/, ' INT_64'));
  if (columns.join() !== names.map((name) => `${name} ${TYPES[name] ?? 'UTF8'}`).join())
    throw new SyntaxError('the Parquet file has other columns');
  return metadata;
}

/** A table and its columns. */
export type ShapedTable = { shape: CsvShape; table: CountTable };

/** One row of some columns: the text, the day or the number that stands in each. */
export type ParquetRow = {
  text(column: string): string;
  day(): string;
  count(): number;
};

/**
 * Visits the rows of a file in their order, a group of rows at a time and without DuckDB. Throws when it is no Parquet
 * file with these columns. Cost: O(rows).
 */
export async function visitParquet(
  bytes: Uint8Array,
  names: readonly string[],
  visit: (row: ParquetRow) => void,
): Promise<void> {
  const file = parquetBuffer(bytes);
  const metadata = metadataOf(file, names);
  const numbered = withStoredNumbers(metadata);
  const days = new Map<unknown, string>();
  let rowStart = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows);
    const columns: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
    await parquetRead({
      file,
      metadata: numbered,
      rowStart,
      rowEnd,
      columns: [...names],
      ...PARQUET_READING,
      onChunk: ({ columnName, columnData, rowStart: first }) => {
        const column = columns[columnName]!;
        for (let at = 0; at < columnData.length; at++) column[first - rowStart + at] = columnData[at];
      },
    });
    let at = 0;
    const row: ParquetRow = {
      text: (column) => textOf(columns[column]![at]),
      day: () => kept(days, columns.date![at]),
      count: () => numberOf(columns.count![at]),
    };
    for (; at < rowEnd - rowStart; at++) visit(row);
    rowStart = rowEnd;
  }
}

function kept(days: Map<unknown, string>, value: unknown): string {
  const known = days.get(value);
  if (known !== undefined) return known;
  const day = dayOfNumber(numberOf(value));
  days.set(value, day);
  return day;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new SyntaxError('a row has no value in a column');
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new SyntaxError('a row has no number in a column');
  return Number(value);
}

/**
 * Reads a table back in the order of its file; a column that the shape lacks becomes ALL. Throws when the file is not one
 * that writeParquet makes. Cost: O(rows).
 */
export async function readParquet(shape: CsvShape, bytes: Uint8Array): Promise<CountTable> {
  const names: readonly string[] = CSV_COLUMNS[shape];
  const time = names.find((name) => name === 'time' || name === 'hour');
  const hasPlace = names.includes('loc');
  const table = countTableBuilder();
  await visitParquet(bytes, names, (row) => {
    const label = time === undefined ? ALL : row.text(time);
    table.add(row.text('mode'), row.day(), row.text('tap'), label, hasPlace ? row.text('loc') : ALL, row.count());
  });
  return table.table();
}

/** What the footer of a Parquet file of these columns says, for the metadata check. */
export function parquetFacts(bytes: Uint8Array, names: readonly string[]): Omit<ParquetFacts, 'rewritten'> {
  const metadata = metadataOf(parquetBuffer(bytes), names);
  return {
    rows: Number(metadata.num_rows),
    createdBy: metadata.created_by ?? '',
    keyValues: metadata.key_value_metadata?.length ?? 0,
    columns: names.toSorted().map((name) => {
      const chunks = metadata.row_groups.flatMap(({ columns }) =>
        columns.flatMap(({ meta_data: facts }) => (facts?.path_in_schema.join('.') === name ? [facts] : [])),
      );
      const noted = chunks.flatMap(({ statistics }) =>
        statistics ? [statistics.min, statistics.max, statistics.min_value, statistics.max_value] : [],
      );
      return {
        name,
        values: chunks.reduce((sum, { num_values: values }) => sum + Number(values), 0),
        extremes: [...new Set(noted.flatMap((value) => (value === undefined ? [] : [statisticText(value)])))].sort(),
      };
    }),
  };
}

/** A value of the statistics as the rows write it. */
const statisticText = (value: unknown): string =>
  value instanceof Date
    ? value.toISOString().slice(0, 10)
    : value instanceof Uint8Array
      ? utf8Text(value)
      : String(value);
