import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../../../core/select/growth.ts';
import { sourceRelation, UNUSABLE_NAME } from '../../../custodian/sql/source-relation.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { outOfRange, withoutUtf8 } from './damaged-bytes.fixture.ts';
import { requireLegible, writeLegible } from './legible-parquet.ts';

const folder = newFolder();
let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("SET TimeZone = 'UTC'; SET preserve_insertion_order = true; SET threads = 1");
});

const rowsOf = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJson();

const parquet = (): string => join(folder, 'a.parquet');

async function write(query: string, options = ''): Promise<void> {
  await connection.run(`COPY (${query}) TO '${parquet()}' (FORMAT parquet${options})`);
}

async function typesOf(): Promise<Map<string, string>> {
  const rows = await rowsOf(`DESCRIBE ${sourceRelation({ format: 'parquet', path: parquet(), stored: new Map() })}`);
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

/** The rows as DuckDB reads them, and as they are read with care, with the marked ones. */
async function read(): Promise<{ types: Map<string, string>; sql: string }> {
  const types = await typesOf();
  const path = join(folder, 'a.rows');
  await writeLegible(parquet(), types, path);
  return { types, sql: sourceRelation({ format: 'legible', path, types }) };
}

const damage = async (change: (bytes: Buffer) => Buffer): Promise<void> =>
  writeFile(parquet(), change(await readFile(parquet())));

/** Every type that a series may name, with values at the ends, and NULL. */
const VALUES: Record<string, string[]> = {
  VARCHAR: ["''", "'x'", "'é🚋'", "'a' || chr(0) || 'b'", '\'a,"b"\' || chr(10)', `repeat('y', ${LONGEST_VALUE})`],
  BLOB: ["''", "'\\xFF\\x00'", "'plain'"],
  BOOLEAN: ['true', 'false'],
  TINYINT: ['-128', '127'],
  SMALLINT: ['-32768', '32767'],
  INTEGER: ['-2147483648', '2147483647', '0'],
  BIGINT: ['-9223372036854775808', '9223372036854775807'],
  UTINYINT: ['0', '255'],
  USMALLINT: ['65535'],
  UINTEGER: ['4294967295', '7'],
  UBIGINT: ['18446744073709551615', '7'],
  FLOAT: ['0.1', '-0.0', "'nan'", "'infinity'", '3.4e38', '1e-45'],
  DOUBLE: ['0.1', '-0.0', "'nan'", "'-infinity'", '1e308', '5e-324', '123456789.123456789'],
  DATE: ["'2026-03-02'", "'0044-03-15 (BC)'", "'5881580-07-10'", "'infinity'"],
  TIMESTAMP: ["'2026-03-02 08:00:00.123456'", "'1969-12-31 23:59:59.999999'", "'290000-01-01'", "'infinity'"],
  TIMESTAMP_MS: ["'2026-03-02 08:00:00.123'", "'1900-01-01'"],
  TIMESTAMP_S: ["'2026-03-02 08:00:00'"],
  TIMESTAMP_NS: ["'2026-03-02 08:00:00.123456789'", "'1900-01-01'"],
  TIMESTAMPTZ: ["'2026-03-02 08:00:00+11'", "'infinity'"],
  'DECIMAL(4,1)': ['-999.9', '0.5'],
  'DECIMAL(9,0)': ['-999999999', '0'],
  'DECIMAL(18,6)': ['-123456789012.345678', '0.000001'],
  'DECIMAL(38,2)': ['-123456789012345678901234567890123456.78', '0.01'],
  UUID: ["'00112233-4455-6677-8899-aabbccddeeff'"],
};

const COLUMNS = Object.entries(VALUES).map(([type, values], index) => {
  const list = [...values, 'NULL'].map((value) => `(${value})::${type}`).join(', ');
  return `[${list}][1 + (i * ${index + 3} + i // 7) % ${values.length + 1}] AS c${index}`;
});
/** More than are read at a time, also of one row group; and enough for every place of every value in its list. */
const ROWS = 24_000;
const EVERYTHING = `SELECT ${COLUMNS.join(', ')} FROM range(${ROWS}) AS t(i)`;

describe('a Parquet file that is read with care', () => {
  const valuesOfEachType = async (options: string): Promise<void> => {
    // Packed differences of this type are refused.
    const packed = options.includes('v2, DICTIONARY');
    await write(
      packed ? EVERYTHING.replaceAll('UINTEGER', 'UTINYINT').replace('4294967295', '255') : EVERYTHING,
      options,
    );
    const { types, sql } = await read();
    const names = [...types.keys()].join(', ');
    // As many rows on both sides, and none on the one that the other lacks: the same rows.
    const one = `SELECT ${names} FROM '${parquet()}'`;
    expect(await rowsOf(`(${one}) EXCEPT ALL (SELECT ${names} FROM (${sql})) LIMIT 3`)).toEqual([]);
    expect(await rowsOf(`SELECT count(*) FROM (${one})`)).toEqual([[String(ROWS)]]);
    expect(await rowsOf(`SELECT count(*), count(*) FILTER ("${UNUSABLE_NAME}") FROM (${sql})`)).toEqual([
      [String(ROWS), '0'],
    ]);
  };
  const values = '@contract C3: has the values that DuckDB reads, of every type that a series may name';
  it.each([
    ', COMPRESSION gzip, PARQUET_VERSION v2',
    ', COMPRESSION zstd, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1',
  ])(`${values}: %s`, valuesOfEachType);
  it.each([
    '',
    ', COMPRESSION uncompressed, ROW_GROUP_SIZE 2048',
    ', COMPRESSION brotli, ROW_GROUP_SIZE 22528, DICTIONARY_SIZE_LIMIT 1',
  ])(`${values}: %s`, { tags: 'soak' }, valuesOfEachType);

  it('@contract C5: marks the rows with a text that is no UTF-8 or is too long, and no others', async () => {
    const text = `CASE i WHEN 3 THEN 'BREAKME' WHEN 5 THEN repeat('z', ${LONGEST_VALUE + 1}) ELSE 'x' || i END AS text`;
    await write(`SELECT i, ${text} FROM range(100) AS t(i)`, ', COMPRESSION uncompressed');
    await damage(withoutUtf8);
    await expect(rowsOf(`SELECT text FROM '${parquet()}'`)).rejects.toThrow('Invalid string encoding');
    const { sql } = await read();
    expect(await rowsOf(`SELECT i FROM (${sql}) WHERE "${UNUSABLE_NAME}" AND text IS NULL ORDER BY i`)).toEqual([
      ['3'],
      ['5'],
    ]);
    expect(await rowsOf(`SELECT count(*) FROM (${sql}) WHERE text = 'x' || i`)).toEqual([['98']]);
  });

  it('@contract C5: has a time out of range as one that nobody counts', async () => {
    await write("SELECT '2026-03-02 08:00'::TIMESTAMP_MS + INTERVAL (i) DAY AS time FROM range(3) AS t(i)");
    await write(`SELECT time::TIMESTAMP_MS AS time FROM '${parquet()}'`);
    await damage(outOfRange('2026-03-03T08:00Z'));
    await expect(rowsOf(`SELECT time FROM '${parquet()}'`)).rejects.toThrow('Could not convert');
    const { sql } = await read();
    expect(await rowsOf(`SELECT time FROM (${sql}) ORDER BY time`)).toEqual([
      ['2026-03-02 08:00:00'],
      ['2026-03-04 08:00:00'],
      ['infinity'],
    ]);
  });

  it('@contract C6: is refused before anything is read when only DuckDB could read it', async () => {
    await write('SELECT 1 AS a', ', COMPRESSION lz4_raw');
    await expect(requireLegible(parquet())).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
    await write('SELECT i::UINTEGER AS a FROM range(9) AS t(i)', ', PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1');
    await expect(requireLegible(parquet())).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
    await write('SELECT 1::UINTEGER AS a');
    await requireLegible(parquet());
  });

  it('@contract C6: is OBJECT_UNREADABLE when it is damaged', async () => {
    await write(`SELECT i, 'x' || i AS text FROM range(30000) AS t(i)`, ', COMPRESSION zstd');
    const types = await typesOf();
    const bytes = await readFile(parquet());
    const damaged = {
      'the first page': Buffer.from(bytes).fill(0xff, 4, 60),
      'the footer': Buffer.from(bytes).fill(0xff, bytes.length - 300, bytes.length - 8),
      'the end': bytes.subarray(0, -20),
      'a part of the middle': Buffer.concat([bytes.subarray(0, 5_000), bytes.subarray(6_000)]),
    };
    for (const [what, content] of Object.entries(damaged)) {
      await writeFile(parquet(), content);
      const reading = writeLegible(parquet(), types, join(folder, 'b.rows'));
      await expect(reading, what).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
    }
  });
});
