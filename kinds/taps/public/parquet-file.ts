import { type FileMetaData, parquetMetadata, parquetRead } from 'hyparquet';
import type { ParquetFacts } from '../../../counts/audit/subject.ts';
import { ALL } from '../../../counts/derive/count-row.ts';
import { type CountTable, countTableBuilder } from '../../../counts/derive/count-table.ts';
import { CSV_COLUMNS, type CsvShape } from '../../../counts/derive/csv.ts';
import {
  dayOfNumber,
  PARQUET_READING,
  parquetBuffer,
  parquetColumns,
  requireRows,
  utf8Text,
  withStoredNumbers,
} from '../../../services/publication/parquet-columns.ts';

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

/** A domain of more cells is never listed; a table that has a CSV has no more rows than that. */
export const MOST_TABLE_ROWS = 20_000_000;

/** Rows of a file: of each a number in every column, that of its text in `texts`, or the day or count that is stored. */
export type ParquetRows = {
  rows: number;
  texts: readonly string[];
  columns: Readonly<Record<string, Float64Array>>;
};

/**
 * Visits the rows of a file in their order, a group of rows at a time and without DuckDB. Throws when it is no Parquet
 * file with these columns, and a value in each. Cost: O(rows).
 */
export async function visitParquet(
  bytes: Uint8Array,
  { names, mostRows }: { names: readonly string[]; mostRows: number },
  visit: (rows: ParquetRows) => void,
): Promise<void> {
  const file = parquetBuffer(bytes);
  const metadata = metadataOf(file, names);
  requireRows(file, metadata, mostRows);
  const numbered = withStoredNumbers(metadata);
  const [texts, numbers] = [[] as string[], new Map<string, number>()];
  // Called for each text of a dictionary, and not for each row that has it.
  const stringFromBytes = (stored: Uint8Array | undefined): number | undefined => {
    if (stored === undefined) return undefined;
    const text = utf8Text(stored);
    const known = numbers.get(text) ?? texts.push(text) - 1;
    numbers.set(text, known);
    return known;
  };
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows);
    const rowEnd = rowStart + rows;
    const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(rows)]));
    const read = Object.fromEntries(names.map((name) => [name, 0]));
    await parquetRead({
      file,
      metadata: numbered,
      rowStart,
      rowEnd,
      columns: [...names],
      ...PARQUET_READING,
      parsers: { stringFromBytes },
      onChunk: ({ columnName, columnData, rowStart: first }) => {
        read[columnName]! += putNumbers(columns[columnName]!, first - rowStart, columnData);
      },
    });
    if (names.some((name) => read[name] !== rows)) throw new SyntaxError('a row has no value in a column');
    visit({ rows, texts, columns });
    rowStart = rowEnd;
  }
}

/** Puts values at their places; how many of them are numbers. */
function putNumbers(target: Float64Array, start: number, values: ArrayLike<unknown>): number {
  let numbers = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value !== 'number' && typeof value !== 'bigint') continue;
    target[start + at] = Number(value);
    numbers += 1;
  }
  return numbers;
}

/** The text of days as they are stored, each made once. */
export function daysByNumber(): (number: number) => string {
  const days = new Map<number, string>();
  return (number) => {
    const day = days.get(number) ?? dayOfNumber(number);
    days.set(number, day);
    return day;
  };
}

/**
 * Reads a table back in the order of its file; a column that the shape lacks becomes ALL. Throws when the file is not one
 * that writeParquet makes, or has more rows. Cost: O(rows).
 */
export async function readParquet(shape: CsvShape, bytes: Uint8Array, mostRows = MOST_TABLE_ROWS): Promise<CountTable> {
  const names: readonly string[] = CSV_COLUMNS[shape];
  const timeName = names.find((name) => name === 'time' || name === 'hour');
  const dayOf = daysByNumber();
  const table = countTableBuilder();
  await visitParquet(bytes, { names, mostRows }, ({ rows, texts, columns }) => {
    const [mode, date, tap, count] = [columns.mode!, columns.date!, columns.tap!, columns.count!];
    const [time, location] = [timeName === undefined ? undefined : columns[timeName], columns.loc];
    for (let at = 0; at < rows; at++) {
      const [label, place] = [time ? texts[time[at]!]! : ALL, location ? texts[location[at]!]! : ALL];
      table.add(texts[mode[at]!]!, dayOf(date[at]!), texts[tap[at]!]!, label, place, count[at]!);
    }
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
