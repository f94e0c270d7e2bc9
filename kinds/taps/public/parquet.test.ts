import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, test } from 'vitest';
import { ALL, type CountRow } from '../../../core/derive/count-row.ts';
import { tableOf } from '../../../core/derive/count-table.ts';
import { compareRows, rowsIn } from '../../../test/support/draw-rows.ts';
import * as parquet from './parquet.ts';
import * as files from './parquet-file.ts';

type Rows = Record<'cells' | 'hours' | 'remainder', CountRow[]>;
const writeParquet = (path: string, { cells, hours, remainder }: Rows): Promise<void> =>
  parquet.writeParquet(path, { cells: tableOf(cells), hours: tableOf(hours), remainder: tableOf(remainder) });
const readParquet = async (path: string): Promise<Rows> => {
  const { cells, hours, remainder } = await files.readParquet(await readFile(path));
  return { cells: rowsIn(cells), hours: rowsIn(hours), remainder: rowsIn(remainder) };
};
const parquetFacts = async (path: string) => files.parquetFacts(await readFile(path));

const folder = await mkdtemp(join(tmpdir(), "opaline-parquet-o'"));
afterAll(() => rm(folder, { recursive: true }));

const row = (index: number): CountRow => ({
  mode: 'bus',
  day: `2026-03-0${1 + (index % 7)}`,
  tap: index % 2 ? 'on' : 'off',
  time: `0${index % 10}:15`,
  location: `Straße "${Math.floor(index / 70)}", 'Nord'`,
  count: 10 + (index % 997),
});
const cells = Array.from({ length: 5000 }, (_, index) => row(index)).sort(compareRows);
const hours = [{ ...row(1), time: '01' }];
const remainder = [{ ...row(1), location: ALL }];

const digestOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

test('C18: equal rows give equal bytes, other rows other bytes', async () => {
  const path = (name: string) => join(folder, name);
  await writeParquet(path('a'), { cells, hours, remainder });
  await writeParquet(path('b'), { cells: structuredClone(cells), hours, remainder });
  await writeParquet(path('c'), { cells: cells.with(0, { ...cells[0]!, count: 9 }), hours, remainder });
  expect(await digestOf(path('b'))).toBe(await digestOf(path('a')));
  expect(await digestOf(path('c'))).not.toBe(await digestOf(path('a')));
});

test('rows read back as they were written, and the footer says nothing else', async () => {
  const path = join(folder, 'rows');
  await writeParquet(path, { cells, hours, remainder });
  expect(await readParquet(path)).toEqual({ cells, hours, remainder });
  const facts = await parquetFacts(path);
  expect(facts).toMatchObject({ rows: 5002, keyValues: 0 });
  expect(facts.createdBy).toMatch(/^DuckDB version v/);
  expect(facts.columns.map(({ name }) => name)).toEqual(['count', 'date', 'kind', 'loc', 'mode', 'tap', 'time']);
  expect(facts.columns.find(({ name }) => name === 'kind')).toEqual({
    name: 'kind',
    values: 5002,
    extremes: ['cell', 'remainder'],
  });
});

// Over several groups of rows and chunks of DuckDB.
test('a file that is rewritten has the same bytes', async () => {
  const [path, again] = [join(folder, 'many'), join(folder, 'again')];
  const many = Array.from({ length: 130_000 }, (_, index) => ({ ...row(index), location: `place ${index % 700}` }));
  await writeParquet(path, { cells: many.sort(compareRows), hours, remainder });
  await parquet.writeParquet(again, await files.readParquet(await readFile(path)));
  expect(await digestOf(again)).toBe(await digestOf(path));
  expect((await readParquet(path)).cells).toEqual(many);
});

test('a release without a single published cell is a file too', async () => {
  const path = join(folder, 'empty');
  await writeParquet(path, { cells: [], hours: [], remainder: [] });
  expect(await readParquet(path)).toEqual({ cells: [], hours: [], remainder: [] });
  expect(await parquetFacts(path)).toMatchObject({ rows: 0, keyValues: 0 });
});

test('what is no Parquet file, or a cut one, throws', async () => {
  const path = join(folder, 'bad');
  await writeFile(path, 'PAR1');
  await expect(readParquet(path)).rejects.toThrow();
  await writeParquet(path, { cells, hours, remainder });
  await writeFile(path, (await readFile(path)).subarray(0, 2000));
  await expect(readParquet(path)).rejects.toThrow();
});

test('broken twin: rows whose kinds are mixed are refused', async () => {
  const path = join(folder, 'mixed');
  const twins = [
    ['remainder', 'cell'],
    ['remainder', 'hour'],
    ['hour', 'cell'],
  ];
  for (const kinds of twins) {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const rows = kinds.map((kind) => `('${kind}', 'bus', DATE '2026-03-02', 'on', '08', 'Manly', 9::BIGINT)`).join();
    await connection.run(
      `COPY (SELECT * FROM (VALUES ${rows}) t(kind, mode, date, tap, time, loc, count)) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
    await expect(readParquet(path)).rejects.toThrow('a row of the kind');
  }
});
