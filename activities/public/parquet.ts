import { BIGINT, type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api';
import { z } from 'zod';
import { TAPS } from '../../contracts/names.ts';
import type { ParquetFacts } from '../../core/audit/subject.ts';
import type { CountRow } from '../../core/derive/count-row.ts';

/** The rows of taps.parquet: `kind` tells cells and remainder rows apart. */
export type ParquetRows = { cells: CountRow[]; remainder: CountRow[] };

const COLUMNS = ['kind', 'mode', 'date', 'tap', 'time', 'loc', 'count'] as const;

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/**
 * Writes the rows as Parquet: cells first, then remainder rows, each in the order given.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export async function writeParquet(path: string, { cells, remainder }: ParquetRows): Promise<void> {
  await withDuckDb(async (connection) => {
    await connection.run(
      'CREATE TABLE taps (kind VARCHAR, mode VARCHAR, day VARCHAR, tap VARCHAR, time VARCHAR, loc VARCHAR, count BIGINT)',
    );
    await append(connection, 'cell', cells);
    await append(connection, 'remainder', remainder);
    await connection.run(
      `COPY (SELECT kind, mode, day::DATE AS date, tap, time, loc, count FROM taps)
       TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
    );
  });
}

const rowSchema = z.tuple([
  z.enum(['cell', 'remainder']),
  z.string(),
  z.iso.date(),
  z.enum(TAPS),
  z.string(),
  z.string(),
  z.bigint().transform(Number).pipe(z.int()),
]);

/** Reads the rows back in the order of the file. Throws when the file is not one that writeParquet makes. */
export async function readParquet(path: string): Promise<ParquetRows> {
  const rows: ParquetRows = { cells: [], remainder: [] };
  await withDuckDb(async (connection) => {
    const names = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${literal(path)})`);
    const found = names.getRows().map(([name]) => String(name));
    if (found.join() !== COLUMNS.join()) throw new SyntaxError('the Parquet file has other columns');
    const result = await connection.stream(
      `SELECT kind, mode, strftime(date, '%Y-%m-%d'), tap, time, loc, count FROM read_parquet(${literal(path)})`,
    );
    for await (const chunk of result.yieldRows()) for (const row of chunk) addRow(rows, row);
  });
  return rows;
}

function addRow(rows: ParquetRows, values: unknown): void {
  const [kind, mode, day, tap, time, location, count] = rowSchema.parse(values);
  if (kind === 'cell' && rows.remainder.length > 0) throw new SyntaxError('a cell follows a remainder row');
  rows[kind === 'cell' ? 'cells' : 'remainder'].push({ mode, day, tap, time, location, count });
}

/** What the footer of a Parquet file says, for the metadata check; `rewritten` is for the caller to find out. */
export async function parquetFacts(path: string): Promise<Omit<ParquetFacts, 'rewritten'>> {
  return withDuckDb(async (connection) => {
    const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    const [file] = await rowsOf(`SELECT num_rows, created_by FROM parquet_file_metadata(${literal(path)})`);
    const keyValues = await rowsOf(`SELECT 1 FROM parquet_kv_metadata(${literal(path)})`);
    const columns = await rowsOf(
      `SELECT path_in_schema, sum(num_values)::BIGINT,
              list_sort(list_distinct(flatten(list([stats_min, stats_max, stats_min_value, stats_max_value]))))
              ::VARCHAR[] AS extremes
       FROM parquet_metadata(${literal(path)}) GROUP BY path_in_schema ORDER BY path_in_schema`,
    );
    return {
      rows: Number(file?.[0]),
      createdBy: String(file?.[1]),
      keyValues: keyValues.length,
      columns: columns.map(([name, values, extremes]) => ({
        name: String(name),
        values: Number(values),
        extremes: extremesSchema.parse(extremes).items,
      })),
    };
  });
}

const extremesSchema = z.object({ items: z.array(z.string()) });

async function append(connection: DuckDBConnection, kind: string, rows: readonly CountRow[]): Promise<void> {
  const appender = await connection.createAppender('taps');
  const types = [VARCHAR, VARCHAR, VARCHAR, VARCHAR, VARCHAR, VARCHAR, BIGINT];
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const part = rows.slice(start, start + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    chunk.setColumns([
      part.map(() => kind),
      part.map(({ mode }) => mode),
      part.map(({ day }) => day),
      part.map(({ tap }) => tap),
      part.map(({ time }) => time),
      part.map(({ location }) => location),
      part.map(({ count }) => BigInt(count)),
    ]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** A database in memory with one thread (the order of rows, and so the bytes, are fixed) that fetches no extensions. */
async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
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
