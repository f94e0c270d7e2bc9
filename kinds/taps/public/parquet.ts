import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { dayNumber } from '../../../core/calendar/civil-day.ts';
import { type CountTable, codesIn } from '../../../counts/derive/count-table.ts';
import { CSV_COLUMNS, type CsvShape } from '../../../counts/derive/csv.ts';
import { withScratchFolder } from '../../../services/files/scratch-folder.ts';
import { literal } from '../../../services/sql/duckdb.ts';
import type { ShapedTable } from './parquet-file.ts';

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/**
 * A column of texts or days. `texts`: those that it can have; null for days. Of each row it has a code, and for each code
 * its number: the place of its text, or days since 1970-01-01.
 */
type CodedColumn = { name: string; texts: readonly string[] | null; codes: Uint32Array; numbers: ArrayLike<number> };

/** The values of a vector where its column lies, one number a row: none is made for each. */
type Items = { items: Uint8Array | Uint16Array | Uint32Array | Int32Array };

/**
 * Each table as the bytes of a Parquet file, its rows in the order given: days as DATE, counts as BIGINT, all else as
 * text. Texts go to DuckDB as codes of their lists. `beside` is called with the place of each table when DuckDB writes
 * it, which takes another thread.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export const writeParquet = (
  scratch: string,
  tables: readonly ShapedTable[],
  beside: (place: number) => void = () => {},
): Promise<Buffer[]> =>
  withScratchFolder(scratch, (folder) =>
    withDuckDb(async (connection) => {
      const path = join(folder, 'table.parquet');
      const written: Buffer[] = [];
      for (const [place, one] of tables.entries()) {
        await writeTable(connection, path, one, () => beside(place));
        written.push(await readFile(path));
      }
      return written;
    }),
  );

async function writeTable(
  connection: DuckDBConnection,
  path: string,
  { shape, table }: ShapedTable,
  beside: () => void,
): Promise<void> {
  const columns = codedColumns(shape, table);
  const types = columns.flatMap(({ name, texts }) => (texts ? [{ name, texts }] : []));
  for (const { name, texts } of types)
    await connection.run(`CREATE TYPE all_${name} AS ENUM (${texts.map(literal).join(', ')})`);
  const stored = columns.map(({ name, texts }) => `"${name}" ${texts ? `all_${name}` : 'DATE'}`);
  await connection.run(`CREATE TABLE counts (${stored.join(', ')}, count BIGINT)`);
  await append(connection, columns, table);
  const typed = columns.map(({ name, texts }) => (texts ? `"${name}"::VARCHAR AS "${name}"` : `"${name}"`));
  const written = connection.run(
    `COPY (SELECT ${typed.join(', ')}, count FROM counts)
     TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
  );
  beside();
  await written;
  await connection.run('DROP TABLE counts');
  for (const { name } of types) await connection.run(`DROP TYPE all_${name}`);
}

/** The columns of a table in their order, without the counts, which come last. */
function codedColumns(shape: CsvShape, { slices, times, locations, ...table }: CountTable): CodedColumn[] {
  return CSV_COLUMNS[shape].flatMap((name): CodedColumn[] => {
    switch (name) {
      case 'count':
        return [];
      case 'date':
        return [{ name, texts: null, codes: table.slice, numbers: slices.map(({ day }) => dayNumber(day)) }];
      case 'mode':
      case 'tap': {
        const texts = slices.map((slice) => slice[name]);
        return [textColumn(name, texts, table.slice)];
      }
      case 'loc':
        return [textColumn(name, locations, table.location)];
      default:
        return [textColumn(name, times, table.time)];
    }
  });
}

function textColumn(name: string, list: readonly string[], codes: Uint32Array): CodedColumn {
  // A type needs one text at least.
  const texts = list.length > 0 ? [...new Set(list)] : [''];
  return { name, texts, codes, numbers: codesIn(list, texts, (text) => text) };
}

async function append(connection: DuckDBConnection, columns: readonly CodedColumn[], table: CountTable): Promise<void> {
  const { BIGINT, DATE, DuckDBDataChunk, ENUM } = await import('@duckdb/node-api');
  const appender = await connection.createAppender('counts');
  const types = [...columns.map(({ texts }) => (texts ? ENUM(texts) : DATE)), BIGINT];
  const chunkOf = (length: number) => {
    const chunk = DuckDBDataChunk.create(types, length);
    const vectors = types.map((_, column) => chunk.getColumnVector(column));
    return { length, chunk, vectors, lists: vectors.map((vector) => (vector as unknown as Items).items) };
  };
  // A chunk is filled again and again: its types list all texts, and are dear to make.
  let filled: ReturnType<typeof chunkOf> | null = null;
  for (let start = 0; start < table.count.length; start += CHUNK_ROWS) {
    const length = Math.min(CHUNK_ROWS, table.count.length - start);
    if (filled?.length !== length) filled = chunkOf(length);
    const { chunk, vectors, lists } = filled;
    for (const [column, { codes, numbers }] of columns.entries()) {
      const list = lists[column]!;
      for (let row = 0; row < length; row++) list[row] = numbers[codes[start + row]!]!;
    }
    const { buffer, byteOffset } = lists[columns.length]!;
    putIntegers(new Int32Array(buffer, byteOffset, 2 * length), table.count.subarray(start, start + length));
    for (const vector of vectors) vector.flush();
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** Writes safe integers as pairs of words, the lower one first: 64 bits in two's complement. */
function putIntegers(words: Int32Array, integers: Float64Array): void {
  for (let at = 0; at < integers.length; at++) {
    words[2 * at] = integers[at]!;
    words[2 * at + 1] = Math.floor(integers[at]! / 2 ** 32);
  }
}

/** A database in memory with one thread (the order of rows, and so the bytes, are fixed) that fetches no extensions. */
async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  // Loaded here: a process that writes no table never needs it.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
