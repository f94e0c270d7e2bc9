import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { ALL, type CountRow } from '../../counts/derive/count-row.ts';
import { tableOf } from '../../counts/derive/count-table.ts';
import type { PublishedTable } from '../../counts/tables/tap-tables.ts';
import { TAPS_TABLES, tapsColumns } from '../../kinds/taps/public/tables.ts';
import { compareRows, rowsIn } from '../../test/support/draw-rows.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { parquetOf, tableOfParquet } from '../../test/support/table-forms.ts';
import { parquetFacts } from './parquet-columns.ts';
import { writeParquet } from './table-parquet.ts';

const folder = await mkdtemp(join(newFolder(), "o'"));

const written = (name: PublishedTable, rows: readonly CountRow[]): Promise<Buffer> =>
  parquetOf(folder, name, tableOf(rows));
const read = async (name: PublishedTable, bytes: Uint8Array): Promise<CountRow[]> =>
  rowsIn(await tableOfParquet(name, bytes));

const row = (index: number): CountRow => ({
  mode: 'bus',
  day: `2026-03-0${1 + (index % 7)}`,
  tap: index % 2 ? 'on' : 'off',
  time: `0${index % 10}:15`,
  location: `Straße "${Math.floor(index / 70)}", 'Nord'`,
  count: 10 + (index % 997),
});
const cells = Array.from({ length: 5000 }, (_, index) => row(index)).sort(compareRows);
const late: CountRow = { ...row(1), time: '27:45', count: -3 };

test('C18: equal rows give equal bytes, other rows other bytes, whatever is written beside them', async () => {
  const a = await written('time-location', cells);
  const other = { table: TAPS_TABLES.time, rows: tapsColumns(TAPS_TABLES.time, tableOf([late]), 15) };
  const again = {
    table: TAPS_TABLES['time-location'],
    rows: tapsColumns(TAPS_TABLES['time-location'], tableOf(structuredClone(cells)), 15),
  };
  expect((await writeParquet(folder, [other, again]))[1]!.equals(a)).toBe(true);
  expect((await written('time-location', cells.with(0, { ...cells[0]!, count: 9 }))).equals(a)).toBe(false);
});

test.each<[PublishedTable, CountRow]>([
  ['time-location', late],
  ['time', { ...late, location: ALL }],
  ['location', { ...late, time: ALL }],
  ['hours', { ...late, time: '27:00' }],
  ['left-out', { ...late, time: ALL, location: ALL }],
])(
  '%s reads back as it was written: days as DATE, moments as TIMESTAMP, counts as BIGINT, texts by a dictionary',
  async (shape, one) => {
    const rows = [one, { ...one, tap: 'on' as const, mode: 'train' }];
    const bytes = await written(shape, rows);
    expect(await read(shape, bytes)).toEqual(rows);
    const { schema, row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
    expect(schema.slice(1).map(({ name, type, converted_type: meaning }) => [name, type, meaning])).toEqual(
      TAPS_TABLES[shape].columns.map(({ name }) => {
        if (name === 'date') return [name, 'INT32', 'DATE'];
        if (name === 'start' || name === 'end') return [name, 'INT64', 'TIMESTAMP_MICROS'];
        return name === 'count' ? [name, 'INT64', 'INT_64'] : [name, 'BYTE_ARRAY', 'UTF8'];
      }),
    );
    const many = parquetMetadata(new Uint8Array(await written('time-location', cells)).buffer).row_groups[0]!;
    const encodings = Object.fromEntries(
      many.columns.map(({ meta_data: facts }) => [facts!.path_in_schema.join(), facts!.encodings]),
    );
    for (const name of ['mode', 'tap', 'time', 'loc']) expect(encodings[name]!.join()).toContain('DICTIONARY');
    expect(groups).toHaveLength(1);
  },
);

test('the footer says nothing besides the rows', async () => {
  const bytes = await written('time-location', cells);
  const facts = parquetFacts(TAPS_TABLES['time-location'], bytes);
  expect(facts).toMatchObject({ rows: 5000, keyValues: 0 });
  expect(facts.createdBy).toMatch(/^DuckDB version v/);
  expect(facts.columns.map(({ name }) => name)).toEqual([
    'count',
    'date',
    'end',
    'loc',
    'mode',
    'start',
    'tap',
    'time',
  ]);
  expect(facts.columns.find(({ name }) => name === 'tap')).toEqual({
    name: 'tap',
    values: 5000,
    extremes: ['off', 'on'],
  });
});

// Over several groups of rows and chunks of DuckDB.
test('a file that is rewritten has the same bytes', async () => {
  const many = Array.from({ length: 130_000 }, (_, index) => ({ ...row(index), location: `place ${index % 700}` }));
  const bytes = await written('time-location', many.sort(compareRows));
  const rows = await tableOfParquet('time-location', bytes);
  expect((await parquetOf(folder, 'time-location', rows)).equals(bytes)).toBe(true);
  expect(rowsIn(rows)).toEqual(many);
});

test('a release without a single published cell is a file too', async () => {
  const bytes = await written('time-location', []);
  expect(await read('time-location', bytes)).toEqual([]);
  expect(parquetFacts(TAPS_TABLES['time-location'], bytes)).toMatchObject({ rows: 0, keyValues: 0 });
});

test('a file of more rows than its CSV is not read, however few bytes it has', async () => {
  const bytes = await bytesOf(`SELECT ${ONE}, '1' AS loc, 10::BIGINT AS count FROM range(3000000)`);
  expect(bytes.length).toBeLessThan(100_000);
  await expect(tableOfParquet('time-location', bytes, 5000)).rejects.toThrow('more rows');
  const readAs = (file: Buffer) => tableOfParquet('time-location', file, 3_000_000);
  await expect(readAs(bytes)).resolves.toBeDefined();
  // In the footer numbers are doubled, in groups of seven bits: the last group of rows has 50,880 of them.
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const claiming = (rows: string) => {
    const claims = bytes.subarray(footer).toString('hex').replaceAll('809b06', rows);
    return Buffer.concat([bytes.subarray(0, footer), Buffer.from(claims, 'hex')]);
  };
  const few = claiming('948000');
  expect(parquetMetadata(new Uint8Array(few).buffer).row_groups.at(-1)!.num_rows).toBe(10n);
  // Room would be made for what a page claims.
  await expect(readAs(few)).rejects.toThrow('a page of the Parquet file is not as Opaline writes it');
  await expect(tableOfParquet('time-location', claiming('829b06'), 3_000_001)).rejects.toThrow('values than rows');
  // Some readers find columns by their names, others by their places.
  const renamed = Buffer.from(bytes);
  renamed.write('tide', renamed.lastIndexOf('mode'));
  await expect(readAs(renamed)).rejects.toThrow('other columns');
});

test('what is no Parquet file, a cut one, and one of another table throw', async () => {
  const bytes = await written('time-location', cells);
  await expect(read('time-location', Buffer.from('PAR1'))).rejects.toThrow();
  await expect(read('time-location', bytes.subarray(0, 2000))).rejects.toThrow();
  await expect(read('time', bytes)).rejects.toThrow('other columns');
});

async function bytesOf(query: string, options = ''): Promise<Buffer> {
  const path = join(folder, 'made');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet${options})`);
  connection.closeSync();
  instance.closeSync();
  return readFile(path);
}

const ONE =
  "'bus' AS mode, DATE '2026-03-02' AS date, 'on' AS tap, '08:15' AS time, TIMESTAMP '2026-03-02 08:15:00' AS start, TIMESTAMP '2026-03-02 08:30:00' AS \"end\"";

test.each([
  ['a day that is text', `SELECT ${ONE.replace('DATE', '')}, 9::BIGINT AS count`],
  ['a count of another width', `SELECT ${ONE}, 9::INTEGER AS count`],
  ['a column more', `SELECT ${ONE}, 9::BIGINT AS count, 'x' AS card`],
  ['a missing count', `SELECT ${ONE}, NULL::BIGINT AS count`],
  ['a missing text', `SELECT ${ONE.replace("'bus'", 'NULL::VARCHAR')}, 9::BIGINT AS count`],
  [
    'a missing moment',
    `SELECT ${ONE.replace("TIMESTAMP '2026-03-02 08:15:00'", 'NULL::TIMESTAMP')}, 9::BIGINT AS count`,
  ],
  ['a tap that is none', `SELECT ${ONE.replace("'on'", "'in'")}, 9::BIGINT AS count`],
])('broken twin: %s is refused', async (_, query) => {
  await expect(read('time', await bytesOf(query))).rejects.toThrow();
});

test('a file whose values are packed in another way than Opaline packs them is refused', async () => {
  const query = `SELECT ${ONE}, (7 * range)::BIGINT AS count FROM range(5000)`;
  expect(rowsIn(await tableOfParquet('time', await bytesOf(query), 5000))).toHaveLength(5000);
  const packed = await bytesOf(query, ', PARQUET_VERSION v2');
  await expect(tableOfParquet('time', packed, 5000)).rejects.toThrow('not as Opaline writes it');
});

test('a run of equal values that is longer than its page is refused at once', async () => {
  const bytes = await bytesOf(`SELECT ${ONE}, range AS count FROM range(5000)`, ', COMPRESSION uncompressed');
  expect(rowsIn(await tableOfParquet('time', bytes, 5000))).toHaveLength(5000);
  // Three bytes of levels: 5,000 times a value that is there. The library would count to 8,191, and in the same way to
  // two thousand million.
  const levels = Buffer.from('03000000904e01', 'hex');
  bytes.write('03000000fe7f01', bytes.indexOf(levels), 'hex');
  await expect(tableOfParquet('time', bytes, 5000)).rejects.toThrow('not as Opaline writes it');
});

test('values begin where the length of their levels says, as all other readers have it', async () => {
  const bytes = await bytesOf(`SELECT ${ONE}, range AS count FROM range(5000)`, ', COMPRESSION uncompressed');
  bytes.write('05', bytes.lastIndexOf(Buffer.from('03000000904e01', 'hex')), 'hex');
  await expect(tableOfParquet('time', bytes, 5000)).rejects.toThrow();
});
