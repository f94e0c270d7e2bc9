import { availableParallelism } from 'node:os';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import type { ErrorCode } from '../../contracts/errors.ts';
import { ROW_SAFE_SETTING } from '../../core/select/row-safe.ts';

/** A locked, in-memory DuckDB: it reads and writes below one folder and nowhere else. */
export type Database = {
  /** Runs statements and drops their result. */
  run(sql: string): Promise<void>;
  /** All rows of one query, as arrays in the order of its columns. Integers of 64 bits come as bigint. */
  rows(sql: string): Promise<unknown[][]>;
  /**
   * The rows of one query in pieces of some thousand, each a list of columns: for results that are no rows for people.
   * Its columns are never NULL, and of the types INTEGER or UINTEGER, one word a row, or UHUGEINT, four, lowest first.
   * A list holds until the next one is asked for. No other statement may run until it has ended. A query with UNION
   * ALL is made a table first: DuckDB 1.5 never ends one of three parts on two threads once its buffer is full.
   */
  words(sql: string): AsyncIterable<Uint32Array[]>;
  /** Of all statements together. */
  readonly threads: number;
  /**
   * The same database for statements that run beside these, on the same threads and within the same memory and locks;
   * temporary tables are its own.
   */
  beside<T>(work: (database: Database) => Promise<T>): Promise<T>;
};

export type DatabaseLimits = {
  /** The only folder that DuckDB may touch; temporary files go below it. */
  folder: string;
  memoryMiB: number;
};

/**
 * Temporary files may grow to this many times the memory limit. Grouping a window of 30 million trips on 1 GiB needs
 * about twice its memory; eight leaves room, and still stops a runaway query before the scratch disk is full.
 */
const TEMPORARY_FILES_FACTOR = 8;

/**
 * Memory for each thread. A thread works on 2,048 rows at a time, of which a select makes 320 MiB at most
 * (core/select/growth.ts); so no rows, however long, make a scan fail on a machine of many cores.
 */
const THREAD_MIB = 512;

/** So much of a result waits for whoever asks for it piece by piece, while DuckDB makes more; 1 MiB beside others. */
const STREAMED = '8MiB';

/** Text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Text as an SQL name. */
export const identifier = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Runs the work on a database whose external access is locked to the folder; extensions and further settings are
 * refused: a statement of a series file reaches the pinned files and nothing else (C3). The time zone is UTC, so that no
 * cast depends on the machine.
 */
export async function withDatabase<T>(
  { folder, memoryMiB }: DatabaseLimits,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(memoryMiB / THREAD_MIB)));
  const settings = {
    memory_limit: `${memoryMiB}MiB`,
    threads: String(threads),
    temp_directory: `${folder}/temporary`,
    preserve_insertion_order: 'false',
    ...WITHOUT_EXTENSIONS,
  };
  return withInstance(settings, async (connection, instance) => {
    // The limit of temporary files is set here and not above: as an option of a new instance DuckDB 1.5 shows it and
    // does not keep it.
    await connection.run(
      `SET GLOBAL max_temp_directory_size = '${memoryMiB * TEMPORARY_FILES_FACTOR}MiB';
      SET GLOBAL allowed_directories = [${literal(folder)}]; SET GLOBAL TimeZone = 'UTC'; SET streaming_buffer_size = '${STREAMED}';
      ${ROW_SAFE_SETTING}; SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true`,
    );
    return work(databaseOf(instance, connection, threads));
  });
}

/** Settings of an instance that fetches no extensions. */
export const WITHOUT_EXTENSIONS = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

/** Runs the work on a DuckDB in memory with these settings, which is closed in the end. */
export async function withInstance<T>(
  settings: Record<string, string>,
  work: (connection: DuckDBConnection, instance: DuckDBInstance) => Promise<T>,
): Promise<T> {
  // Loaded here, as the processes that draw never need it.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', settings);
  try {
    return await connect(instance, (connection) => work(connection, instance));
  } finally {
    instance.closeSync();
  }
}

async function connect<T>(instance: DuckDBInstance, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}

const databaseOf = (instance: DuckDBInstance, connection: DuckDBConnection, threads: number): Database => ({
  threads,
  run: async (sql) => void (await connection.run(sql)),
  rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
  words: (sql) => wordsOf(connection, sql),
  beside: (work) => connect(instance, (another) => work(databaseOf(instance, another, threads))),
});

async function* wordsOf(connection: DuckDBConnection, sql: string): AsyncGenerator<Uint32Array[]> {
  const result = await connection.stream(sql);
  const fetch = (): Promise<DuckDBDataChunk | null> => {
    const chunk = result.fetchChunk();
    // It may fail while the piece before it is looked at, and is waited for after that.
    chunk.catch(() => {});
    return chunk;
  };
  let next = fetch();
  try {
    for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
      next = fetch();
      const columns: Uint32Array[] = [];
      for (let column = 0; column < chunk.columnCount; column++) {
        // Where DuckDB keeps the values: no value is made for each.
        const vector = chunk.getColumnVector(column) as { items?: ArrayBufferView; dataView?: ArrayBufferView };
        const { buffer, byteOffset, byteLength } = (vector.items ?? vector.dataView)!;
        columns.push(new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT));
      }
      yield columns;
    }
  } finally {
    // Nothing runs when the database is closed.
    await next.catch(() => null);
  }
}

/** Has the disk no room left? DuckDB says so in its words, Node by the code of the system. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (/No space left on device/.test(error.message) || ('code' in error && error.code === 'ENOSPC'));

/** Did a statement need more than the memory limit, and could not move it to temporary files? */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  /^Out of Memory Error/.test(error.message) &&
  !/max_temp_directory_size/.test(error.message) &&
  !isDiskFull(error);

/** DuckDB's kinds of errors that say that a file is not what it should be. */
const FILE_ERRORS = /^(Invalid Input|IO|Serialization|Conversion|Out of Range|Not implemented|Invalid|Parser) Error/;

/** Does a statement fail because of what a file holds? */
export const isFileError = (error: unknown): boolean =>
  error instanceof Error && FILE_ERRORS.test(error.message) && !isDiskFull(error);

/** A failure of the machine and not of the input: memory, temporary files or the disk are used up. */
export const isOutOfScratch = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Error && /^Out of Memory Error|max_temp_directory_size/.test(error.message));

/** OUT_OF_SCRATCH for a failure of the machine, else the code that the caller knows to fit. */
export const codeOf = (error: unknown, otherwise: ErrorCode): ErrorCode =>
  isOutOfScratch(error) ? 'OUT_OF_SCRATCH' : otherwise;
