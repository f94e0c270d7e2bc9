import { type FileMetaData, parquetMetadata, parquetRead } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { decompressZstandard } from './zstandard.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of stored bytes. Throws TypeError for bytes that are no UTF-8. */
export const utf8Text = (bytes: Uint8Array): string => utf8.decode(bytes);

/** How Parquet files of ours are read. A page that is larger than its header says is damaged. */
export const PARQUET_READING = {
  compressors: { ZSTD: decompressZstandard },
  parsers: { stringFromBytes: (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes) },
};

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

/**
 * The metadata as if days and decimals had no meaning: they are read as the whole numbers that are stored. An object for
 * each day would cost more than all the rest, and a decimal as a number would not be exact.
 */
export const withStoredNumbers = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map((element) => {
    const { converted_type: meaning, logical_type: _, ...stored } = element;
    return meaning === 'DATE' || meaning === 'DECIMAL' ? stored : element;
  }),
});

/**
 * The columns of a file in their order, each of `rows` values: texts as texts, all else as the whole numbers that are
 * stored. `expected` has `name type` of each column. Throws when columns, or their lengths, are others. Cost: O(rows).
 */
export async function readParquetColumns(
  bytes: Uint8Array,
  expected: readonly string[],
  rows: number,
): Promise<(string | number | bigint)[][]> {
  const file = parquetBuffer(bytes);
  const metadata = parquetMetadata(file, { geoparquet: false });
  if (parquetColumns(metadata).join() !== expected.join()) throw new SyntaxError('the Parquet file has other columns');
  if (Number(metadata.num_rows) !== rows) throw new SyntaxError('the Parquet file has another number of rows');
  requireRows(file, metadata, rows);
  const columns = new Map<string, (string | number | bigint)[]>(metadata.schema.slice(1).map(({ name }) => [name, []]));
  await parquetRead({
    file,
    metadata: withStoredNumbers(metadata),
    ...PARQUET_READING,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const column = columns.get(columnName)!;
      for (let at = 0; at < columnData.length; at++) column[rowStart + at] = columnData[at];
    },
  });
  for (const column of columns.values())
    if (column.length !== rows || column.some((value) => !STORED.has(typeof value)))
      throw new SyntaxError('a row has no value in a column');
  return [...columns.values()];
}

const STORED: ReadonlySet<string> = new Set(['string', 'number', 'bigint']);
const MILLISECONDS_PER_DAY = 86_400_000;

/** The text YYYY-MM-DD of a day as it is stored: days since 1970-01-01. Throws RangeError for no day. */
export const dayOfNumber = (days: number): string => new Date(days * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
