import { BIGINT, type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api';
import { z } from 'zod';
import { TAPS } from '../../../contracts/names.ts';
import type { ParquetFacts } from '../../../core/audit/subject.ts';
import type { CountRow } from '../../../core/derive/count-row.ts';

/** The rows of taps.parquet: `kind` tells cells, hour rows (their time is the hour) and remainder rows apart. */
export type ParquetRows = { cells: CountRow[]; hours: CountRow[]; remainder: CountRow[] };

/** The list of each kind of row, in the order of the file. */
const LISTS = { cell: 'cells', hour: 'hours', remainder: 'remainder' } as const satisfies Record<
  string,
  keyof ParquetRows
>;
type RowKind = keyof typeof LISTS;
const KINDS = Object.keys(LISTS) as RowKind[];

/** Names and types of the columns, as DESCRIBE tells them. */
const COLUMNS = 'kind VARCHAR,mode VARCHAR,date DATE,tap VARCHAR,time VARCHAR,loc VARCHAR,count BIGINT';

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/**
 * Writes the rows as Parquet: cells first, then hour rows, then remainder rows, each in the order given.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export async function writeParquet(path: string, rows: ParquetRows): Promise<void> {
  await withDuckDb(async (connection) => {
    await connection.run(
      'CREATE TABLE taps (kind VARCHAR, mode VARCHAR, day VARCHAR, tap VARCHAR, time VARCHAR, loc VARCHAR, count BIGINT)',
    );
    for (const kind of KINDS) await append(connection, kind, rows[LISTS[kind]]);
    await copyTaps(connection, path);
  });
}

/** Writes the rows of a file that readParquet reads once more, as writeParquet writes them. */
export async function rewriteParquet(from: string, to: string): Promise<void> {
  await withDuckDb(async (connection) => {
    await connection.run(
      `CREATE TABLE taps AS
       SELECT kind, mode, date::VARCHAR AS day, tap, time, loc, count FROM read_parquet(${literal(from)})`,
    );
    await copyTaps(connection, to);
  });
}

const copyTaps = (connection: DuckDBConnection, path: string) =>
  connection.run(
    `COPY (SELECT kind, mode, day::DATE AS date, tap, time, loc, count FROM taps)
     TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
  );

/** Columns of text, dates among them: each has few different values beside its rows. */
const TEXTS = ['kind', 'mode', 'date', 'tap', 'time', 'loc'] as const;

const textsSchema = z.object({
  kind: z.array(z.enum(KINDS)),
  mode: z.array(z.string()),
  date: z.array(z.iso.date()),
  tap: z.array(z.enum(TAPS)),
  time: z.array(z.string()),
  loc: z.array(z.string()),
});

/**
 * Reads the rows back in the order of the file; equal texts of a column are one string. Throws when the file is not one
 * that writeParquet makes. Cost: O(rows).
 */
export async function readParquet(path: string): Promise<ParquetRows> {
  const rows: ParquetRows = { cells: [], hours: [], remainder: [] };
  let last: RowKind = 'cell';
  await withDuckDb(async (connection) => {
    const file = `read_parquet(${literal(path)})`;
    const found = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${file}`)).getRows();
    if (found.map(([name, type]) => `${name} ${type}`).join() !== COLUMNS)
      throw new SyntaxError('the Parquet file has other columns');
    const texts = textsSchema.parse(Object.fromEntries(await distinctTexts(connection, file)));
    const codes = TEXTS.map((column) => `enum_code(${column}::VARCHAR::all_${column})::INTEGER`);
    const result = await connection.stream(`SELECT count, ${codes.join()} FROM ${file}`);
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      const [count, kind, mode, date, tap, time, loc] = chunk.getColumns();
      for (let row = 0, { rowCount } = chunk; row < rowCount; row += 1) {
        const now = textAt(texts.kind, kind?.[row]);
        if (KINDS.indexOf(now) < KINDS.indexOf(last)) throw new SyntaxError(`a row of the kind ${now} follows ${last}`);
        last = now;
        rows[LISTS[now]].push({
          mode: textAt(texts.mode, mode?.[row]),
          day: textAt(texts.date, date?.[row]),
          tap: textAt(texts.tap, tap?.[row]),
          time: textAt(texts.time, time?.[row]),
          location: textAt(texts.loc, loc?.[row]),
          count: integerOf(count?.[row]),
        });
      }
    }
  });
  return rows;
}

/** Every value of each column of text, in the order of the codes of the type `all_<column>`, which is made here. */
async function distinctTexts(
  connection: DuckDBConnection,
  file: string,
): Promise<[column: string, values: unknown[]][]> {
  const texts: [string, unknown[]][] = [];
  for (const column of TEXTS) {
    const type = `all_${column}`;
    await connection.run(`CREATE TYPE ${type} AS ENUM (SELECT DISTINCT ${column}::VARCHAR FROM ${file})`);
    const values = await connection.runAndReadAll(`SELECT unnest(enum_range(NULL::${type}))::VARCHAR`);
    texts.push([column, values.getRows().map(([value]) => value)]);
  }
  return texts;
}

function textAt<Text extends string>(texts: readonly Text[], code: unknown): Text {
  const text = typeof code === 'number' ? texts[code] : undefined;
  if (text === undefined) throw new SyntaxError('a row has no value in a column');
  return text;
}

function integerOf(count: unknown): number {
  const integer = typeof count === 'bigint' ? Number(count) : Number.NaN;
  if (!Number.isSafeInteger(integer)) throw new SyntaxError('a count is no whole number');
  return integer;
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
