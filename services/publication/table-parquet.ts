import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FILES } from '../../contracts/names.ts';
import { dayNumber } from '../../core/calendar/civil-day.ts';
import { momentSeconds } from '../../core/calendar/moment.ts';
import {
  COLUMN_TYPES,
  type ColumnsOfTable,
  type ColumnType,
  type ColumnValues,
  rowsIn,
  type TableShape,
} from '../../core/table/published-table.ts';
import { mapAtOnce } from '../at-once.ts';
import { withScratchFolder } from '../files/scratch-folder.ts';
import { identifier, literal, WITHOUT_EXTENSIONS, withInstance } from '../sql/duckdb.ts';
import { formatTable } from './table-csv.ts';

/** Rows of one DuckDB data chunk. */
const CHUNK_ROWS = 2048;

/** One thread: the order of rows, and so the bytes, are fixed. */
const FIXED_BYTES = { threads: '1', ...WITHOUT_EXTENSIONS };

/** A table and its rows. */
export type WrittenTable = { table: TableShape; rows: ColumnsOfTable };

/**
 * Of each row a code, and of each code its number: the place of its text, days since 1970-01-01, or microseconds since
 * then. Without codes a row is its number. `texts`: those that it can have; null for days, moments and numbers.
 */
type StoredColumn = ReturnType<typeof encodeColumn>;

/** The values of a vector in the memory of its column, one number a row: no value is made for each row. */
type Vector = { items?: Uint8Array | Uint16Array | Uint32Array | Int32Array; dataView?: DataView };

/**
 * Each table as the bytes of a Parquet file, its rows in the order given. Texts go to DuckDB as codes of their lists.
 * `beside` is called with the place of each table when DuckDB writes it, which takes another thread.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export const writeParquet = (
  scratch: string,
  tables: readonly WrittenTable[],
  beside: (place: number) => void = () => {},
): Promise<Buffer[]> =>
  withScratchFolder(scratch, (folder) =>
    withInstance(FIXED_BYTES, async (connection) => {
      const path = join(folder, 'table.parquet');
      return mapAtOnce(tables.entries(), 1, async ([place, one]) => {
        await writeTable(connection, path, one, () => beside(place));
        return readFile(path);
      });
    }),
  );

/** A table in its two forms. */
export async function writeForms(
  scratch: string,
  table: TableShape & { name: string },
  rows: ColumnsOfTable,
): Promise<[name: string, bytes: Buffer][]> {
  const [parquet] = await writeParquet(scratch, [{ table, rows }]);
  return [
    [FILES.table(table.name), formatTable(table, rows)],
    [FILES.table(table.name, 'parquet'), parquet!],
  ];
}

async function writeTable(
  connection: DuckDBConnection,
  path: string,
  { table, rows }: WrittenTable,
  beside: () => void,
): Promise<void> {
  const columns = table.columns.map(({ name, field, type }) => encodeColumn(name, type, rows[field]!));
  const names = columns.map(({ name }) => identifier(name));
  const types = columns.map(({ type, texts }, place) => (texts ? `texts_${place}` : COLUMN_TYPES[type].sql));
  for (const [place, { texts }] of columns.entries())
    if (texts) await connection.run(`CREATE TYPE ${types[place]} AS ENUM (${texts.map(literal).join(', ')})`);
  await connection.run(`CREATE TABLE rows (${names.map((name, place) => `${name} ${types[place]}`).join(', ')})`);
  await append(connection, columns, rowsIn(rows));
  // A list has no number where it has an empty text.
  const casts = columns.map(
    ({ type }, place) => `TRY_CAST(${names[place]} AS ${COLUMN_TYPES[type].sql}) AS ${names[place]}`,
  );
  const copy = connection.run(
    `COPY (SELECT ${casts.join(', ')} FROM rows)
     TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
  );
  beside();
  await copy;
  await connection.run('DROP TABLE rows');
  for (const [place, { texts }] of columns.entries()) if (texts) await connection.run(`DROP TYPE ${types[place]}`);
}

/** The numbers of texts that are stored as such: days, and microseconds. */
const NUMBERED: Partial<Record<ColumnType, (text: string) => number>> = {
  day: dayNumber,
  moment: (text) => 1e6 * momentSeconds(text),
};

function encodeColumn(name: string, type: ColumnType, values: ColumnValues) {
  if (values instanceof Float64Array) return { name, type, texts: null, codes: null, numbers: values };
  const numberOf = NUMBERED[type];
  if (numberOf) return { name, type, texts: null, codes: values.codes, numbers: values.texts.map(numberOf) };
  // A type needs one text at least.
  const texts = values.texts.length > 0 ? [...new Set(values.texts)] : [''];
  const places = new Map(texts.map((text, place) => [text, place]));
  return { name, type, texts, codes: values.codes, numbers: values.texts.map((text) => places.get(text)!) };
}

async function append(connection: DuckDBConnection, columns: readonly StoredColumn[], rows: number): Promise<void> {
  const { BIGINT, DATE, DECIMAL, DuckDBDataChunk, ENUM, INTEGER, TIMESTAMP } = await import('@duckdb/node-api');
  const plain = { day: DATE, moment: TIMESTAMP, small: INTEGER, integer: BIGINT, decimal: DECIMAL(18, 6) };
  const appender = await connection.createAppender('rows');
  const types = columns.map(({ type, texts }) => (texts ? ENUM(texts) : plain[type as keyof typeof plain]));
  const chunkOf = (length: number) => {
    const chunk = DuckDBDataChunk.create(types, length);
    const vectors = types.map((_, column) => chunk.getColumnVector(column));
    return { length, chunk, vectors };
  };
  // A chunk is filled again and again: its types list all texts, and are dear to make.
  let batch: ReturnType<typeof chunkOf> | null = null;
  for (let start = 0; start < rows; start += CHUNK_ROWS) {
    const length = Math.min(CHUNK_ROWS, rows - start);
    if (batch?.length !== length) batch = chunkOf(length);
    for (const [place, column] of columns.entries()) {
      const vector = batch.vectors[place]!;
      fill(vector as unknown as Vector, column, start, length);
      vector.flush();
    }
    appender.appendDataChunk(batch.chunk);
  }
  appender.closeSync();
}

/** Puts the values of some rows where a vector has them. */
function fill({ items, dataView }: Vector, { type, codes, numbers }: StoredColumn, start: number, length: number) {
  if (codes !== null && type !== 'moment')
    for (let row = 0; row < length; row++) items![row] = numbers[codes[start + row]!]!;
  else if (type === 'small') for (let row = 0; row < length; row++) items![row] = numbers[start + row]!;
  else {
    // Safe integers as pairs of words, the lower one first: 64 bits in two's complement.
    const { buffer, byteOffset } = (items ?? dataView)!;
    const words = new Int32Array(buffer, byteOffset, 2 * length);
    for (let row = 0; row < length; row++) {
      const number = numbers[codes === null ? start + row : codes[start + row]!]!;
      words[2 * row] = number;
      words[2 * row + 1] = Math.floor(number / 2 ** 32);
    }
  }
}
