import zlib from 'node:zlib';

import { decompress } from 'fzstd';
import { type ColumnMetaData, type DataReader, type FileMetaData, parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
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

/** `name type` of each column; the type as people know it. */
export const parquetColumns = (metadata: FileMetaData): string[] =>
  metadata.schema.slice(1).map(({ name, type, converted_type: meaning }) => `${name} ${meaning ?? type}`);

/** Throws SyntaxError when the columns are not those of a table, in their order and of their types. */
function metadataOf(file: ArrayBuffer, { columns }: TableShape): FileMetaData {
  const metadata = parquetMetadata(file, { geoparquet: false });
  const labels = columns.map(({ name, type }) => `${name} ${COLUMN_TYPES[type].stored}`);
  if (parquetColumns(metadata).join() !== labels.join()) throw new SyntaxError(OTHER_COLUMNS);
  return metadata;
}

/**
 * The rows of a table as its Parquet file has them, in their order and without DuckDB. Throws when it is no Parquet file
 * with the columns of the table and a value in each, or has more rows. Cost: O(rows), and beside them a page.
 */
export function readTable<Field extends string>(
  shape: TableShape<Field>,
  bytes: Uint8Array,
  mostRows: number,
): ColumnsOfTable<Field> {
  const file = parquetBuffer(bytes);
  const { schema, row_groups: groups } = metadataOf(file, shape);
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (rows > mostRows) throw new SyntaxError('the Parquet file has more rows than there can be');
  const entries = shape.columns.map(({ name, field, type }, place) => {
    const { texts, numberOf } = textNumbers();
    const { isCoded } = COLUMN_TYPES[type];
    const numberIn = (cell: unknown): number => {
      if (isCoded && (cell !== undefined || type === 'listed')) return numberOf(STORED_TEXTS[type]!(cell));
      if (typeof cell === 'number' || typeof cell === 'bigint') return Number(cell);
      throw new SyntaxError(NO_VALUE);
    };
    const values = isCoded ? new Uint32Array(rows) : new Float64Array(rows);
    let start = 0;
    for (const { num_rows, columns } of groups) {
      const own = values.subarray(start, start + Number(num_rows));
      const facts = columns[place]?.meta_data;
      if (facts?.path_in_schema.join('.') !== name || schema[1 + place]!.repetition_type !== 'OPTIONAL')
        throw new SyntaxError(OTHER_COLUMNS);
      if (putValues(own, file, facts, numberIn) !== Number(num_rows))
        throw new SyntaxError('a column of the Parquet file has other values than rows');
      start += own.length;
    }
    return [field, values instanceof Float64Array ? values : { texts, codes: values }];
  });
  return Object.fromEntries(entries) as ColumnsOfTable<Field>;
}

type Numbers = Uint32Array | Float64Array;

/**
 * Puts the numbers of the values of a group of rows; how many. What a dictionary lists becomes a number once, and not for
 * each row that has it. Equal values take a few bytes, however many they are: a page that claims more of them than the
 * group has rows is refused before there is room for it. Throws SyntaxError for what Opaline does not write, and
 * RangeError where a page is not inside the file.
 */
function putValues(target: Numbers, file: ArrayBuffer, facts: ColumnMetaData, numberIn: (cell: unknown) => number) {
  const start = Number(facts.dictionary_page_offset ?? facts.data_page_offset);
  const reader = { view: new DataView(file), offset: Math.min(start, Number(facts.data_page_offset)) };
  const end = reader.offset + Number(facts.total_compressed_size);
  let [row, dictionary] = [0, new Float64Array()];
  while (reader.offset < end) {
    const { compressed_page_size: stored, uncompressed_page_size: length, ...head } = parquetHeader(reader);
    const { dictionary_page_header: list, data_page_header: data } = head;
    const { num_values: inPage, encoding } = list ?? data ?? { num_values: -1, encoding: undefined };
    const isCoded = !list && encoding?.endsWith('_DICTIONARY') === true;
    const most = list ? target.length : target.length - row;
    const hasRoom = stored >= 0 && length >= 0 && length <= MOST_PAGE_BYTES && inPage >= 0 && inPage <= most;
    if (!hasRoom || !(isCoded || encoding?.startsWith('PLAIN'))) throw new SyntaxError(OTHER_PAGE);
    const bytes = decompressPage(new Uint8Array(file, reader.offset, stored), length, facts.codec, DECOMPRESSORS);
    reader.offset += stored;
    const page = { view: new DataView(bytes.buffer, bytes.byteOffset, length), offset: 0 };
    if (list) {
      dictionary = Float64Array.from(readPlain(page, facts.type, inPage, undefined) as unknown[], numberIn);
      continue;
    }
    const levels = readRuns({ ...page, offset: page.offset + 4 }, 1, new Uint8Array(inPage));
    // Values begin where the length of the levels says, as for all other readers, whatever the runs took.
    page.offset += 4 + page.view.getUint32(page.offset, true);
    const values = levels.includes(0) ? levels.filter(Boolean).length : inPage;
    const width = isCoded ? page.view.getUint8(page.offset++) : 0;
    const own = isCoded ? readRuns(page, width, new Uint32Array(values)) : readPlain(page, facts.type, values, 0);
    for (let at = 0, next = 0; at < inPage; at++) {
      const value = levels[at] === 0 ? undefined : own[next++];
      const number = isCoded && value !== undefined ? dictionary[value] : numberIn(value);
      if (number === undefined) throw new SyntaxError(NO_VALUE);
      target[row++] = number;
    }
  }
  return row;
}

/**
 * Fills numbers of `width` bits from runs: one number again and again, or numbers packed in groups of eight. A run that
 * claims more than there is room for is refused: the library would count to the end of it. The last numbers that are
 * packed may be padding, and are not read.
 */
function readRuns<Codes extends Uint8Array | Uint32Array>(page: DataReader, width: number, codes: Codes): Codes {
  // A group has 122,880 rows.
  if (width > 24) throw new SyntaxError(OTHER_PAGE);
  let [bits, count] = [0, 0];
  const next = (): number => {
    for (; count < width; count += 8) bits |= page.view.getUint8(page.offset++) << count;
    const code = bits & (2 ** width - 1);
    [bits, count] = [bits >>> width, count - width];
    return code;
  };
  for (let at = 0; width > 0 && at < codes.length; ) {
    const head = readVarInt(page);
    const isPacked = head % 2 !== 0;
    const end = at + (head >>> 1) * (isPacked ? 8 : 1);
    if (!isPacked && end > codes.length) throw new SyntaxError(OTHER_PAGE);
    [bits, count] = [0, 0];
    if (!isPacked) codes.fill(next(), at, end);
    else for (let place = at; place < end && place < codes.length; place++) codes[place] = next();
    at = end;
  }
  return codes;
}

const NO_VALUE = 'a row has no value in a column';
const OTHER_PAGE = 'a page of the Parquet file is not as Opaline writes it';
const OTHER_COLUMNS = 'the Parquet file has other columns';

const MILLISECONDS_PER_DAY = 86_400_000;

/** The texts of columns by what is stored. Throw RangeError or TypeError for what has no text. */
const STORED_TEXTS: Partial<Record<ColumnType, (cell: unknown) => string>> = {
  text: (cell) => utf8.decode(cell as Uint8Array),
  day: (cell) => isoText(Number(cell) * MILLISECONDS_PER_DAY, 'YYYY-MM-DD'),
  moment: (cell) => isoText(Number(cell) / 1000, 'YYYY-MM-DDTHH:MM:SS'),
  listed: (cell) => (typeof cell === 'number' ? `${cell}` : ''),
};

/** A moment as ISO 8601 writes it, as far as the form goes; milliseconds since 1970. Throws RangeError for none. */
const isoText = (milliseconds: number, form: string): string =>
  new Date(milliseconds).toISOString().slice(0, form.length);

/** As many rows as a CSV file can have: a line end for each, and one for its header. */
export function mostRowsOf(csv: Buffer): number {
  let lines = 0;
  for (let at = csv.indexOf('\n'); at >= 0; at = csv.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** How many rows the CSV file and the Parquet file of a table have, null when these differ. Throws for no such file. */
export function sameRows(shape: TableShape, csv: Buffer, parquet: Buffer): number | null {
  const rows = readTable(shape, parquet, mostRowsOf(csv));
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
        const bounds = chunks
          .flatMap(({ statistics: of }) => [of?.min, of?.max, of?.min_value, of?.max_value])
          .filter((value) => value !== undefined);
        return {
          name,
          values: chunks.reduce((sum, { num_values: values }) => sum + Number(values), 0),
          extremes: [...new Set(bounds.map((value) => statisticText(value, type)))].sort(),
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

/**
 * The bytes that were compressed, `length` at most. Throws for bytes that are no Zstandard frame. Node has it from 22.15
 * on; whoever verifies has any Node.
 */
const decompressZstandard = (bytes: Uint8Array, length: number): Uint8Array =>
  typeof zlib.zstdDecompressSync === 'function'
    ? zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) })
    : decompressInJavaScript(bytes, length);
const DECOMPRESSORS = { ZSTD: decompressZstandard };

/**
 * The same for any Node; several times slower. The memory that it takes is given, whatever the bytes say; a damaged frame
 * may give other bytes, as no checksum is looked at: what is verified has a digest.
 */
export const decompressInJavaScript = (bytes: Uint8Array, length: number): Uint8Array =>
  decompress(bytes, new Uint8Array(length));
