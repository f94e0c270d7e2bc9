import zlib from 'node:zlib';

import { decompress } from 'fzstd';
import { type FileMetaData, parquetMetadata, parquetRead } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import {
  COLUMN_TYPES,
  type ColumnsOfTable,
  type ColumnType,
  rowsIn,
  type TableShape,
  textNumbers,
} from '../../core/table/published-table.ts';
import type { ParquetFacts } from '../../counts/audit/subject.ts';
import { isTableOf } from './table-csv.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a file as the reader wants them. */
export const parquetBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Bytes of a page, decompressed: a group of rows has a page or two for a column, of 122,880 values at most. */
const MOST_PAGE_BYTES = 2 ** 27;

/**
 * Refuses a file of more rows, and one whose pages claim other numbers of values than its groups of rows have: equal
 * values take a few bytes, however many they are, and the reader makes room for all that a page claims. Reads the heads
 * of the pages and nothing in them. Throws SyntaxError, or RangeError where a page is not inside the file.
 */
export function requireRows(file: ArrayBuffer, { row_groups: groups }: FileMetaData, mostRows: number): void {
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (rows > mostRows) throw new SyntaxError('the Parquet file has more rows than there can be');
  for (const { num_rows, columns } of groups)
    for (const { meta_data: facts } of columns) {
      const start = Number(facts?.dictionary_page_offset ?? facts?.data_page_offset ?? Number.NaN);
      const reader = { view: new DataView(file), offset: Math.min(start, Number(facts?.data_page_offset)) };
      const end = reader.offset + Number(facts?.total_compressed_size);
      let values = 0;
      while (reader.offset < end) {
        const { field_2: bytes, field_3: stored, ...head } = deserializeTCompactProtocol(reader);
        const inPage = head.field_7?.field_1 ?? (head.field_5 ?? head.field_8)?.field_1;
        if (!(stored >= 0 && bytes >= 0 && bytes <= MOST_PAGE_BYTES && inPage >= 0 && inPage <= num_rows))
          throw new SyntaxError('a page of the Parquet file is larger than any that was written');
        if (!head.field_7) values += inPage;
        reader.offset += stored;
      }
      if (values !== Number(num_rows)) throw new SyntaxError('a column of the Parquet file has other values than rows');
    }
}

/** `name type` of each column; the type as people know it. */
export const parquetColumns = (metadata: FileMetaData): string[] =>
  metadata.schema.slice(1).map(({ name, type, converted_type: meaning }) => `${name} ${meaning ?? type}`);

const BY_NUMBER: readonly unknown[] = ['DATE', 'DECIMAL', 'TIMESTAMP_MICROS'];

/**
 * The metadata as if days, moments and decimals had no meaning: they are read as the whole numbers that are stored. An
 * object for each day would cost more than all the rest, and a decimal as a number would not be exact.
 */
const withStoredNumbers = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map((element) => {
    const { converted_type: meaning, logical_type: _, ...stored } = element;
    return BY_NUMBER.includes(meaning) ? stored : element;
  }),
});

/** Throws SyntaxError when the columns are not those of a table, in their order and of their types. */
function metadataOf(file: ArrayBuffer, { columns }: TableShape): FileMetaData {
  const metadata = parquetMetadata(file, { geoparquet: false });
  const expected = columns.map(({ name, type }) => `${name} ${COLUMN_TYPES[type].stored}`);
  if (parquetColumns(metadata).join() !== expected.join()) throw new SyntaxError('the Parquet file has other columns');
  return metadata;
}

/**
 * The rows of a table as its Parquet file has them, in their order and without DuckDB. Throws when it is no Parquet file
 * with the columns of the table and a value in each, or has more rows. Cost: O(rows), and beside them a group of rows.
 */
export async function readTable<Field extends string>(
  shape: TableShape<Field>,
  bytes: Uint8Array,
  mostRows: number,
): Promise<ColumnsOfTable<Field>> {
  const file = parquetBuffer(bytes);
  const metadata = metadataOf(file, shape);
  requireRows(file, metadata, mostRows);
  const numbered = withStoredNumbers(metadata);
  const rows = Number(metadata.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n));
  const read = {} as Record<Field, ColumnsOfTable[string]>;
  for (const { name, field, type } of shape.columns) {
    const { texts, numberOf } = textNumbers();
    // Called for each text of a dictionary, and not for each row that has it.
    const stringFromBytes = (stored: Uint8Array | undefined) => stored && numberOf(utf8.decode(stored));
    const values = COLUMN_TYPES[type].isCoded ? new Uint32Array(rows) : new Float64Array(rows);
    const textOf = NUMBERED[type];
    const codes = new Map<unknown, number>();
    const codeOf = (stored: unknown): number => {
      const code = codes.get(stored) ?? numberOf(textOf!(stored));
      codes.set(stored, code);
      return code;
    };
    let [rowStart, found] = [0, 0];
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      await parquetRead({
        file,
        metadata: numbered,
        rowStart,
        rowEnd,
        columns: [name],
        compressors: { ZSTD: decompressZstandard },
        parsers: { stringFromBytes },
        onChunk: ({ columnData, rowStart: first }) => {
          found += putNumbers(values, first, columnData, textOf ? codeOf : null);
        },
      });
      rowStart = rowEnd;
    }
    if (found !== rows) throw new SyntaxError('a row has no value in a column');
    read[field] = values instanceof Float64Array ? values : { texts, codes: values };
  }
  return read;
}

/** Puts values at their places; how many of them are numbers. */
function putNumbers(
  target: Uint32Array | Float64Array,
  start: number,
  values: ArrayLike<unknown>,
  codeOf: ((value: unknown) => number) | null,
): number {
  let numbers = 0;
  for (let at = 0; at < values.length; at++) {
    const value = codeOf ? codeOf(values[at]) : values[at];
    if (typeof value !== 'number' && typeof value !== 'bigint') continue;
    target[start + at] = Number(value);
    numbers += 1;
  }
  return numbers;
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** The texts of columns that are stored as numbers, by a number of theirs. Throw RangeError for one that has no text. */
const NUMBERED: Partial<Record<ColumnType, (stored: unknown) => string>> = {
  day: (stored) => isoText(Number(stored ?? Number.NaN) * MILLISECONDS_PER_DAY, 'YYYY-MM-DD'),
  moment: (stored) => isoText(Number(stored ?? Number.NaN) / 1000, 'YYYY-MM-DDTHH:MM:SS'),
  listed: (stored) => (typeof stored === 'number' ? `${stored}` : ''),
};

/** A moment as ISO 8601 writes it, as far as the form goes; milliseconds since 1970. Throws RangeError for none. */
const isoText = (milliseconds: number, form: string): string =>
  new Date(milliseconds).toISOString().slice(0, form.length);

/** As many rows as a CSV file can have: a line end for each, and one for its header. */
export function mostRowsOf(csv: Buffer): number {
  let lines = 0;
  for (let at = csv.indexOf(LINE_FEED); at >= 0; at = csv.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
const LINE_FEED = 0x0a;

/** How many rows the CSV file and the Parquet file of a table have, null when these differ. Throws for no such file. */
export async function sameRows(shape: TableShape, csv: Buffer, parquet: Buffer): Promise<number | null> {
  const rows = await readTable(shape, parquet, mostRowsOf(csv));
  return isTableOf(shape, rows, csv) ? rowsIn(rows) : null;
}

/** What the footer of the Parquet file of a table says; the columns in the order of their names. */
export function parquetFacts(shape: TableShape, bytes: Uint8Array): Omit<ParquetFacts, 'rewritten'> {
  const metadata = metadataOf(parquetBuffer(bytes), shape);
  return {
    rows: Number(metadata.num_rows),
    createdBy: metadata.created_by ?? '',
    keyValues: metadata.key_value_metadata?.length ?? 0,
    columns: shape.columns
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, type }) => {
        const chunks = metadata.row_groups.flatMap(({ columns }) =>
          columns.flatMap(({ meta_data: facts }) => (facts?.path_in_schema.join('.') === name ? [facts] : [])),
        );
        const noted = chunks.flatMap(({ statistics }) =>
          statistics ? [statistics.min, statistics.max, statistics.min_value, statistics.max_value] : [],
        );
        return {
          name,
          values: chunks.reduce((sum, { num_values: values }) => sum + Number(values), 0),
          extremes: [
            ...new Set(noted.flatMap((value) => (value === undefined ? [] : [statisticText(value, type)]))),
          ].sort(),
        };
      }),
  };
}

/** A value of the statistics as the rows write it. */
const statisticText = (value: unknown, type: ColumnType): string =>
  value instanceof Date
    ? isoText(value.getTime(), type === 'moment' ? 'YYYY-MM-DDTHH:MM:SS' : 'YYYY-MM-DD')
    : value instanceof Uint8Array
      ? utf8.decode(value)
      : String(value);

/** Node has it from 22.15 on; whoever verifies has any Node. */
const hasZstandard = typeof zlib.zstdDecompressSync === 'function';

/** The bytes that were compressed, `length` at most. Throws for bytes that are no Zstandard frame. */
const decompressZstandard = (bytes: Uint8Array, length: number): Uint8Array =>
  hasZstandard
    ? zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) })
    : decompressInJavaScript(bytes, length);

/**
 * The same for any Node; several times slower. The memory that it takes is given, whatever the bytes say; a damaged frame
 * may give other bytes, as no checksum is looked at: what is verified has a digest.
 */
export const decompressInJavaScript = (bytes: Uint8Array, length: number): Uint8Array =>
  decompress(bytes, new Uint8Array(length));
