import type { DuckDBConnection } from '@duckdb/node-api';
import type { CountTable } from '../../../core/derive/count-table.ts';
import { unionOf } from '../../../core/derive/lines.ts';
import { type ParquetRows, ROW_LISTS } from './parquet-file.ts';

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/** Columns of texts, each with the type that lists its texts. */
const TEXTS = ['kind', 'mode', 'day', 'tap', 'time', 'loc'] as const;
type Texts = Record<(typeof TEXTS)[number], readonly string[]>;

/**
 * Writes the rows as Parquet: cells first, then hour rows, then remainder rows, each in the order given. Texts go to
 * DuckDB as codes of their lists.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export async function writeParquet(path: string, rows: ParquetRows): Promise<void> {
  const texts = textsOf(Object.values(rows));
  await withDuckDb(async (connection) => {
    for (const column of TEXTS)
      await connection.run(`CREATE TYPE all_${column} AS ENUM (${texts[column].map(literal).join(', ')})`);
    await connection.run(`CREATE TABLE taps (${TEXTS.map((name) => `${name} all_${name}`).join(', ')}, count BIGINT)`);
    for (const [kind, list] of Object.entries(ROW_LISTS)) await append(connection, texts, kind, rows[list]);
    const [kind, mode, day, tap, time, loc] = TEXTS.map((name) => `${name}::VARCHAR`);
    await connection.run(
      `COPY (SELECT ${kind} AS kind, ${mode} AS mode, ${day}::DATE AS date, ${tap} AS tap, ${time} AS time, ${loc} AS loc,
         count FROM taps)
       TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
    );
  });
}

/** Every text of each column; a type needs one at least. */
function textsOf(tables: readonly CountTable[]): Texts {
  const slices = tables.flatMap((table) => table.slices);
  const all = (lists: readonly (readonly string[])[]): string[] => {
    const texts = unionOf(lists);
    return texts.length > 0 ? texts : [''];
  };
  return {
    kind: Object.keys(ROW_LISTS),
    mode: all([slices.map(({ mode }) => mode)]),
    day: all([slices.map(({ day }) => day)]),
    tap: all([slices.map(({ tap }) => tap)]),
    time: all(tables.map(({ times }) => times)),
    loc: all(tables.map(({ locations }) => locations)),
  };
}

async function append(connection: DuckDBConnection, texts: Texts, kind: string, table: CountTable): Promise<void> {
  const { BIGINT, DuckDBDataChunk, ENUM } = await import('@duckdb/node-api');
  const appender = await connection.createAppender('taps');
  const types = [...TEXTS.map((name) => ENUM(texts[name])), BIGINT];
  const chunkOf = (length: number) => {
    const chunk = DuckDBDataChunk.create(types, length);
    return { length, chunk, vectors: types.map((_, column) => chunk.getColumnVector(column)) };
  };
  const { slices, times, locations } = table;
  // A chunk is filled again and again: its types list all texts, and are dear to make.
  let filled: ReturnType<typeof chunkOf> | null = null;
  for (let start = 0; start < table.count.length; start += CHUNK_ROWS) {
    const length = Math.min(CHUNK_ROWS, table.count.length - start);
    if (filled?.length !== length) filled = chunkOf(length);
    const { chunk, vectors } = filled;
    const [kinds, modes, days, taps, timesOf, places, counts] = vectors;
    for (let row = 0; row < length; row++) {
      const at = start + row;
      const { mode, day, tap } = slices[table.slice[at]!]!;
      kinds!.setItem(row, kind);
      modes!.setItem(row, mode);
      days!.setItem(row, day);
      taps!.setItem(row, tap);
      timesOf!.setItem(row, times[table.time[at]!]!);
      places!.setItem(row, locations[table.location[at]!]!);
      counts!.setItem(row, BigInt(table.count[at]!));
    }
    for (const vector of vectors) vector.flush();
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** A database in memory with one thread (the order of rows, and so the bytes, are fixed) that fetches no extensions. */
async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  // Loaded here: who only reads a publication never needs it.
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

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
