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
import { type CountTable, type CountTableBuilder, countTableBuilder } from '../../../core/derive/count-table.ts';

/** The rows of taps.parquet: `kind` tells cells, hour rows (their time is the hour) and remainder rows apart. */
export type ParquetRows = { cells: CountTable; hours: CountTable; remainder: CountTable };

/** The table of each kind of row, in the order of the file. */
export const ROW_LISTS = { cell: 'cells', hour: 'hours', remainder: 'remainder' } as const satisfies Record<
  string,
  keyof ParquetRows
>;
const KINDS = Object.keys(ROW_LISTS);

/** Names and types of the columns. */
const COLUMNS = 'kind UTF8,mode UTF8,date DATE,tap UTF8,time UTF8,loc UTF8,count INT64';
const NAMES = ['kind', 'mode', 'date', 'tap', 'time', 'loc', 'count'] as const;
type Column = (typeof NAMES)[number];

function metadataOf(file: ArrayBuffer): FileMetaData {
  const metadata = parquetMetadata(file, { geoparquet: false });
  if (parquetColumns(metadata).join().replace('count INT_64', 'count INT64') !== COLUMNS)
    throw new SyntaxError('the Parquet file has other columns');
  return metadata;
}

/**
 * Reads the rows back in the order of the file, a group of rows at a time and without DuckDB. Throws when the file is not
 * one that writeParquet makes. Cost: O(rows).
 */
export async function readParquet(bytes: Uint8Array): Promise<ParquetRows> {
  const file = parquetBuffer(bytes);
  const metadata = metadataOf(file);
  const numbered = withStoredNumbers(metadata);
  const tables = { cells: countTableBuilder(), hours: countTableBuilder(), remainder: countTableBuilder() };
  const order = { last: 0 };
  let rowStart = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows);
    const columns: Record<Column, unknown[]> = { kind: [], mode: [], date: [], tap: [], time: [], loc: [], count: [] };
    await parquetRead({
      file,
      metadata: numbered,
      rowStart,
      rowEnd,
      columns: [...NAMES],
      ...PARQUET_READING,
      onChunk: ({ columnName, columnData, rowStart: first }) => {
        const column = columns[columnName as Column];
        for (let at = 0; at < columnData.length; at++) column[first - rowStart + at] = columnData[at];
      },
    });
    addRows(tables, columns, rowEnd - rowStart, order);
    rowStart = rowEnd;
  }
  return { cells: tables.cells.table(), hours: tables.hours.table(), remainder: tables.remainder.table() };
}

function addRows(
  tables: Record<keyof ParquetRows, CountTableBuilder>,
  columns: Record<Column, unknown[]>,
  rows: number,
  order: { last: number },
): void {
  const { kind, mode, date, tap, time, loc, count } = columns;
  const days = new Map<unknown, string>();
  for (let at = 0; at < rows; at++) {
    const place = KINDS.indexOf(textOf(kind[at]));
    if (place < 0) throw new SyntaxError('a row is of no known kind');
    if (place < order.last) throw new SyntaxError(`a row of the kind ${KINDS[place]} follows ${KINDS[order.last]}`);
    order.last = place;
    const day = days.get(date[at]) ?? dayOfNumber(numberOf(date[at]));
    days.set(date[at], day);
    tables[Object.values(ROW_LISTS)[place]!].add(
      textOf(mode[at]),
      day,
      textOf(tap[at]),
      textOf(time[at]),
      textOf(loc[at]),
      numberOf(count[at]),
    );
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new SyntaxError('a row has no value in a column');
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new SyntaxError('a row has no number in a column');
  return Number(value);
}

/** What the footer of a Parquet file says, for the metadata check; `rewritten` is for the caller to find out. */
export function parquetFacts(bytes: Uint8Array): Omit<ParquetFacts, 'rewritten'> {
  const metadata = metadataOf(parquetBuffer(bytes));
  return {
    rows: Number(metadata.num_rows),
    createdBy: metadata.created_by ?? '',
    keyValues: metadata.key_value_metadata?.length ?? 0,
    columns: NAMES.toSorted().map((name) => {
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
