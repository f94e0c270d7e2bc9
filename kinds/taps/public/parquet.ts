import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { literal } from '../../../activities/sql/duckdb.ts';
import type { CountTable } from '../../../core/derive/count-table.ts';
import { CSV_COLUMNS, type CsvShape } from '../../../core/derive/csv.ts';
import type { ShapedTable } from './parquet-file.ts';

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/** A column of texts: those that it can have, and which of them a row has. */
type TextColumn = { name: string; texts: readonly string[]; textAt: (row: number) => string };

/**
 * Each table as the bytes of a Parquet file, its rows in the order given: days as DATE, counts as BIGINT, all else as
 * text. Texts go to DuckDB as codes of their lists.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export const writeParquet = (scratch: string, tables: readonly ShapedTable[]): Promise<Buffer[]> =>
  withScratchFolder(scratch, (folder) =>
    withDuckDb(async (connection) => {
      const path = join(folder, 'table.parquet');
      const written: Buffer[] = [];
      for (const one of tables) {
        await writeTable(connection, path, one);
        written.push(await readFile(path));
      }
      return written;
    }),
  );

async function writeTable(connection: DuckDBConnection, path: string, { shape, table }: ShapedTable): Promise<void> {
  const texts = textColumns(shape, table);
  for (const { name, texts: all } of texts)
    await connection.run(`CREATE TYPE all_${name} AS ENUM (${all.map(literal).join(', ')})`);
  const stored = texts.map(({ name }) => `"${name}" all_${name}`);
  await connection.run(`CREATE TABLE counts (${stored.join(', ')}, count BIGINT)`);
  await append(connection, texts, table);
  const typed = CSV_COLUMNS[shape].map((name) => (name === 'count' ? name : `"${name}"::${typeOf(name)} AS "${name}"`));
  await connection.run(
    `COPY (SELECT ${typed.join(', ')} FROM counts)
     TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
  );
  await connection.run('DROP TABLE counts');
  for (const { name } of texts) await connection.run(`DROP TYPE all_${name}`);
}

const typeOf = (column: string): string => (column === 'date' ? 'VARCHAR::DATE' : 'VARCHAR');

function textColumns(shape: CsvShape, table: CountTable): TextColumn[] {
  const { slices, times, locations } = table;
  const ofSlice = (field: 'mode' | 'day' | 'tap') => ({
    texts: slices.map((slice) => slice[field]),
    textAt: (row: number) => slices[table.slice[row]!]![field],
  });
  const ofTime = { texts: times, textAt: (row: number) => times[table.time[row]!]! };
  const columns = {
    mode: ofSlice('mode'),
    date: ofSlice('day'),
    tap: ofSlice('tap'),
    time: ofTime,
    hour: ofTime,
    loc: { texts: locations, textAt: (row: number) => locations[table.location[row]!]! },
  };
  return CSV_COLUMNS[shape].flatMap((name) => {
    if (name === 'count') return [];
    const { texts, textAt } = columns[name];
    // A type needs one text at least.
    return [{ name, texts: texts.length > 0 ? [...new Set(texts)] : [''], textAt }];
  });
}

async function append(connection: DuckDBConnection, texts: readonly TextColumn[], table: CountTable): Promise<void> {
  const { BIGINT, DuckDBDataChunk, ENUM } = await import('@duckdb/node-api');
  const appender = await connection.createAppender('counts');
  const types = [...texts.map((column) => ENUM(column.texts)), BIGINT];
  const chunkOf = (length: number) => {
    const chunk = DuckDBDataChunk.create(types, length);
    return { length, chunk, vectors: types.map((_, column) => chunk.getColumnVector(column)) };
  };
  // A chunk is filled again and again: its types list all texts, and are dear to make.
  let filled: ReturnType<typeof chunkOf> | null = null;
  for (let start = 0; start < table.count.length; start += CHUNK_ROWS) {
    const length = Math.min(CHUNK_ROWS, table.count.length - start);
    if (filled?.length !== length) filled = chunkOf(length);
    const { chunk, vectors } = filled;
    for (const [column, { textAt }] of texts.entries()) {
      const vector = vectors[column]!;
      for (let row = 0; row < length; row++) vector.setItem(row, textAt(start + row));
    }
    const counts = vectors[texts.length]!;
    for (let row = 0; row < length; row++) counts.setItem(row, BigInt(table.count[start + row]!));
    for (const vector of vectors) vector.flush();
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
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
