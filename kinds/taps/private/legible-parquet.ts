import { isUtf8 } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { OpalineError } from '../../../contracts/errors.ts';
import { makeCache } from '../../../core/memory/function-cache.ts';
import { LONGEST_VALUE } from '../../../core/select/growth.ts';
import { COLUMNS_MAX, tooManyColumns } from '../../../custodian/sql/source-relation.ts';
import { OWNERS_ALONE } from '../../../services/files/scratch-folder.ts';
import { isDiskFull } from '../../../services/sql/duckdb.ts';

/**
 * The careful reading of a Parquet file. DuckDB gives up a whole file for one text that is not UTF-8, one time out of its
 * range, or one value that does not fit its memory. That would be one person's row which decides about an object (C6). So
 * a file that DuckDB gives up is read here, value by value, and written as lines that it can read: with the same
 * values, except for those that nobody can use, whose rows are marked and become rejects (C5).
 */

/** Rows that are taken at a time: few enough for memory when all their values are as long as they may be. */
const ROWS_AT_A_TIME = 20_000;

/** Unannotated texts and numbers as they are stored; the types of DuckDB say what they mean. */
type Stored = string | number | bigint | boolean | Uint8Array | null | undefined;

/** Written instead of a value that nobody can use; no other value begins like it. */
const UNUSABLE_VALUE = '!';

// A page that is larger than its header says is damaged.
const limitSize =
  (decompress: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array) =>
  (bytes: Uint8Array, length: number): Uint8Array =>
    decompress(bytes, { maxOutputLength: Math.max(1, length) });
const COMPRESSORS: Compressors = {
  GZIP: limitSize(gunzipSync),
  BROTLI: limitSize(brotliDecompressSync),
  ZSTD: limitSize(zstdDecompressSync),
};
const CODECS: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)]);

/**
 * Refuses what only DuckDB could read, before anything is read: else one odd row would decide whether it is read at all.
 * Gives its number of rows and its columns, and how the values of each are stored: those inside structures and lists
 * are not columns.
 * Throws OBJECT_UNREADABLE, also when the file is no Parquet;
 * OBJECT_SCHEMA when it has too many columns, or two of one name.
 *
 * @contract C6
 */
export const requireLegible = (path: string): Promise<{ stored: ReadonlyMap<string, string>; rows: number }> =>
  withFile(path, async (file) => {
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const root = parquetSchema(metadata);
    const leaves = leavesOf(root);
    if (root.count !== metadata.schema.length) throw unreadable();
    if (leaves.length > COLUMNS_MAX) throw tooManyColumns();
    if (new Set(root.children.map(({ element }) => element.name.toLowerCase())).size < root.children.length)
      throw new OpalineError('OBJECT_SCHEMA', 'A Parquet object has two columns of the same name.');
    for (const { columns } of metadata.row_groups) {
      if (columns.length !== leaves.length) throw unreadable();
      for (const [place, { meta_data: facts }] of columns.entries()) {
        const { element } = leaves[place]!;
        if (!facts || facts.type !== element.type || !CODECS.has(facts.codec) || isMisread(element, facts.encodings))
          throw unreadable();
      }
    }
    const columns = leaves.flatMap(({ element, isColumn }) =>
      isColumn ? [[element.name, element.type!] as const] : [],
    );
    return { stored: new Map(columns), rows: Number(metadata.num_rows) };
  });

/** How values are stored, and the types of DuckDB under which they are read here as DuckDB reads them. */
const LEGIBLE =
  /^(BOOLEAN BOOLEAN|INT32 (U?(TINY|SMALL)INT|U?INTEGER|DATE|DECIMAL\([\d,]+\))|INT64 (U?BIGINT|TIMESTAMP(_NS| WITH TIME ZONE)?|DECIMAL\([\d,]+\))|INT96 TIMESTAMP|FLOAT FLOAT|DOUBLE DOUBLE|BYTE_ARRAY (VARCHAR|BLOB|DECIMAL\([\d,]+\))|FIXED_LEN_BYTE_ARRAY (UUID|DECIMAL\([\d,]+\)))$/;

/** May a series name a column that is stored so, and has this type to DuckDB? `undefined` is no column of the file. */
export const isLegible = (storage: string | undefined, type: string): boolean => LEGIBLE.test(`${storage} ${type}`);

/** The reader takes packed differences for signed ones: of unsigned integers of 32 bits it would read others. */
const isMisread = (element: Element, encodings: readonly string[]): boolean =>
  element.converted_type === 'UINT_32' && encodings.includes('DELTA_BINARY_PACKED');

/**
 * Writes the named columns of a Parquet file to `output`: a line for each row, `true` or `false` for whether the row has
 * a value that nobody can use, then the values. `types` are the columns with the types that DuckDB gives them. A text or
 * bytes are `x` and hexadecimal digits; dates are days, timestamps the integers of their unit (nanoseconds for the legacy
 * type of 96 bits, cut to microseconds); NULL is an empty field. Throws OBJECT_UNREADABLE for a file that is damaged.
 *
 * @contract C5
 * @contract C6
 */
export const writeLegible = (path: string, types: ReadonlyMap<string, string>, output: string): Promise<void> =>
  withFile(path, async (file) => {
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    await pipeline(Readable.from(lines(file, metadata, types)), createWriteStream(output, OWNERS_ALONE));
  });

async function* lines(
  file: AsyncBuffer,
  metadata: FileMetaData,
  types: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  const columns = [...types.keys()];
  const leaves = leavesOf(parquetSchema(metadata));
  const places = columns.map((name) => leaves.findIndex(({ element, isColumn }) => isColumn && element.name === name));
  if (places.includes(-1)) throw unreadable();
  const writers = columns.map((name, n) => writerOf(types.get(name)!, leaves[places[n]!]!.element));
  const flat = flatten(metadata, leaves, places);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += ROWS_AT_A_TIME) {
      const rowEnd = Math.min(rowStart + ROWS_AT_A_TIME, groupEnd);
      const rows = await readRows(file, flat, columns, rowStart, rowEnd);
      if (rows.length < rowEnd - rowStart) throw unreadable();
      yield* blocksOf(rows, writers);
    }
    groupStart = groupEnd;
  }
}

/** So much is written at a time, in characters: one text of all rows could be longer than a text can be. */
const BLOCK_CHARACTERS = 1 << 20;

function* blocksOf(rows: readonly Stored[][], writers: readonly Writer[]): Generator<string> {
  let block = '';
  for (const row of rows) {
    block += lineOf(row, writers);
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = '';
  }
  yield block;
}

const readRows = (
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  rowStart: number,
  rowEnd: number,
): Promise<Stored[][]> =>
  new Promise((resolve, reject) => {
    parquetRead({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      compressors: COMPRESSORS,
      parsers: { stringFromBytes: encodeBytes, timestampFromNanoseconds: String },
      onComplete: resolve,
    }).catch(reject);
  });

/** Bytes as they are written: cut before they are kept, and marked when they are no text. */
function encodeBytes(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length > LONGEST_VALUE) return UNUSABLE_VALUE;
  return `${isUtf8(bytes) ? 'x' : 'b'}${Buffer.from(bytes).toString('hex')}`;
}

type Element = FileMetaData['schema'][number];

/** A column chunk's element of the schema. `isColumn`: it is no part of a structure, list or map. */
type Leaf = { element: Element; isColumn: boolean };

/** The leaves below an element of the schema, in the order of the column chunks. */
const leavesOf = ({ element, path, children }: SchemaTree): Leaf[] =>
  children.length === 0 ? [{ element, isColumn: path.length === 1 }] : children.flatMap(leavesOf);

/** A file of these leaves alone, in their order, with all values as they are stored. */
function flatten(metadata: FileMetaData, leaves: readonly Leaf[], places: readonly number[]): FileMetaData {
  const elements = places.map((place) => {
    const { converted_type: _converted, logical_type: _logical, ...stored } = leaves[place]!.element;
    return stored;
  });
  const row_groups = metadata.row_groups.map((group) => ({
    ...group,
    columns: places.map((place, n) => {
      const { meta_data: facts, ...chunk } = group.columns[place]!;
      return { ...chunk, meta_data: { ...facts!, path_in_schema: [elements[n]!.name] } };
    }),
  }));
  return { ...metadata, schema: [{ name: 'schema', num_children: elements.length }, ...elements], row_groups };
}

type Writer = (value: Stored) => string;

/** How a value of a column is written, by its type to DuckDB and its annotation in the file. */
function writerOf(type: string, element: Element): Writer {
  if (type === 'VARCHAR') return (value) => (String(value).startsWith('b') ? UNUSABLE_VALUE : String(value));
  if (type === 'BLOB') return (value) => String(value).replace(/^b/, 'x');
  if (type.startsWith('TIMESTAMP')) return timestampWriter(type, element);
  if (type.startsWith('DECIMAL')) return decimalWriter(type, element);
  if (type === 'UUID')
    return (value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : UNUSABLE_VALUE);
  const bits = INTEGER_BITS[type.replace(/^U/, '')];
  // DuckDB keeps the low bits of what is too large.
  const cut = type.startsWith('U') ? BigInt.asUintN : BigInt.asIntN;
  if (bits !== undefined) return (value) => String(cut(bits, whole(value)));
  return (value) => (Object.is(value, -0) ? '-0.0' : String(value));
}

const INTEGER_BITS: Readonly<Record<string, number>> = { TINYINT: 8, SMALLINT: 16, INTEGER: 32, BIGINT: 64 };

/** A stored integer; the legacy time of 96 bits comes as text. */
const whole = (value: Stored): bigint =>
  BigInt(typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' ? value : 0);

/** No moment that DuckDB can make; it is read as infinity. */
const NO_TIME = 2n ** 63n - 1n;

/** Microseconds, but nanoseconds where DuckDB keeps them. Of two annotations the newer one counts, as to DuckDB. */
function timestampWriter(type: string, { type: storage, converted_type, logical_type }: Element): Writer {
  const unit =
    logical_type?.type === 'TIMESTAMP' ? logical_type.unit : converted_type === 'TIMESTAMP_MICROS' ? 'MICROS' : null;
  if (storage === 'INT96')
    return (value) => String((whole(value) - (((whole(value) % 1000n) + 1000n) % 1000n)) / 1000n);
  if (type === 'TIMESTAMP_NS') return (value) => String(whole(value));
  if (unit === 'NANOS') return (value) => String(whole(value) / 1000n);
  if (unit === 'MICROS') return (value) => String(whole(value));
  // DuckDB gives up a file over thousandths of a second that are too many as millionths.
  return (value) => {
    const microseconds = whole(value) * 1000n;
    return String(BigInt.asIntN(64, microseconds) === microseconds ? microseconds : NO_TIME);
  };
}

/** The integer of a decimal number, stored as such or as bytes, the most significant first. */
function integerOf(value: Stored): bigint {
  if (typeof value === 'string') return integerOf(Buffer.from(value.slice(1), 'hex'));
  if (!(value instanceof Uint8Array)) return whole(value);
  return BigInt.asIntN(8 * value.length, BigInt(`0x0${Buffer.from(value).toString('hex')}`));
}

/** DuckDB keeps as many bits of a stored integer as the digits of the type need. */
function decimalWriter(type: string, { type: storage }: Element): Writer {
  const [, digits = '38', scale = '0'] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  const bits = [16, 32, 64].find((_, n) => Number(digits) <= [4, 9, 18][n]!) ?? 128;
  const isInteger = storage === 'INT32' || storage === 'INT64';
  return (value) => decimalText(isInteger ? BigInt.asIntN(bits, whole(value)) : integerOf(value), Number(scale));
}

function decimalText(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
}

function lineOf(row: readonly Stored[], writers: readonly Writer[]): string {
  const fields = row.map((value, column) => (value === null || value === undefined ? '' : writers[column]!(value)));
  const mark = fields.includes(UNUSABLE_VALUE);
  return `${[mark, ...fields.map((field) => (field === UNUSABLE_VALUE ? '' : field))].join(',')}\n`;
}

const unreadable = (): OpalineError =>
  new OpalineError('OBJECT_UNREADABLE', 'An object is truncated, corrupt or not of the declared format.');

/** Pieces of a file that are kept: the rows of a group come in parts, each from the same pieces. */
const PIECES_KEPT = 64;

/** Opens a file for the reader; whatever the reader finds wrong with it is OBJECT_UNREADABLE. */
async function withFile<T>(path: string, work: (file: AsyncBuffer) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(await piecesOf(file));
  } catch (error) {
    if (error instanceof OpalineError || isDiskFull(error)) throw error;
    throw unreadable();
  } finally {
    await file.close();
  }
}

async function piecesOf(file: FileHandle): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  const pieces = makeCache<Promise<ArrayBuffer>>(PIECES_KEPT);
  return {
    byteLength: size,
    slice: (start, end = size) => pieces(`${start} ${end}`, () => pieceOf(file, start, Math.min(end, size))),
  };
}

async function pieceOf(file: FileHandle, start: number, end: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, end - start));
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, offset, bytes.length - offset, start + offset);
    if (bytesRead === 0) throw unreadable();
    offset += bytesRead;
  }
  return bytes.buffer;
}
