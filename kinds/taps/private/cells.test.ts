import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { readCellRows } from '../../../test/support/cell-rows.ts';
import { cellBytes, leftOutOf, readCells } from './cells.ts';
import { duckdb, StageBench } from './stages.fixture.ts';

const LISTS = { taps: ['off', 'on'], times: ['04:00', '28:15'], locations: ['', 'naïve \'"\\ 駅 🚌'] };

const PARTITION = { part: 'bus', day: '2026-03-02' };

let bench: StageBench;
beforeEach(async () => {
  bench = await StageBench.open();
});

test('what bin stores is read as it was: odd names, the largest counts, what the bound left out', async () => {
  const cells = { ...LISTS, places: Uint32Array.of(1, 6), counts: Float64Array.of(9007199254740991, 1) };
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, cellBytes({ cells, leftOut: [['on', 3]] }));
  const stored = await readCells(bench.context, bench.run(), 0, PARTITION);
  expect(leftOutOf(stored)).toEqual([['on', 3]]);
  expect(await readCellRows(bench.context, bench.run(), 0, PARTITION)).toEqual([
    ['off', '04:00', 'naïve \'"\\ 駅 🚌', 9007199254740991],
    ['on', '28:15', '', 1],
  ]);
});

test('cells that do not say what the bound left out are a mistake', async () => {
  expect(() => leftOutOf({ cells: { ...LISTS, places: [], counts: [] }, leftOut: null })).toThrow(TypeError);
});

/** Stores the rows of a query as an earlier build stored cells, and reads them back. */
async function stored(query: string, footer = '') {
  const path = `${bench.root}/cells.parquet`;
  await duckdb(`COPY (${query}) TO '${path}' (FORMAT parquet${footer})`);
  const { privateStore } = bench.context;
  await privateStore.putIfAbsent(PRIVATE_KEYS.cells(bench.run(), 0, PARTITION), await readFile(path));
  return readCellRows(bench.context, bench.run(), 0, PARTITION);
}

const VALUES = `SELECT * FROM (VALUES
  ('on', '08:15', '2000', 3::BIGINT), ('off', '28:15', '', 9007199254740991), ('on', '08:00', 'naïve ''"\\ 駅 🚌', 1),
  ('off', '04:00', '-1', 0)) AS t(tap, time, location, count)`;

test('Parquet of an earlier build: odd names, the largest counts, in lexicographic order', async () => {
  expect(await stored(VALUES)).toEqual([
    ['off', '04:00', '-1', 0],
    ['off', '28:15', '', 9007199254740991],
    ['on', '08:00', 'naïve \'"\\ 駅 🚌', 1],
    ['on', '08:15', '2000', 3],
  ]);
});

test('Parquet of an earlier build says in its footer what the bound left out', async () => {
  await stored(VALUES, `, KV_METADATA {'left-out': '[["off",7]]'}`);
  expect(leftOutOf(await readCells(bench.context, bench.run(), 0, PARTITION))).toEqual([['off', 7]]);
});

test('a partition without taps has no cells', async () => {
  expect(await stored(`${VALUES} WHERE count < 0`)).toEqual([]);
});

/** Three row groups of the size that DuckDB writes. */
const ROWS = 250_000;

test('many row groups, repeated and distinct names: cell by cell what DuckDB reads', async () => {
  const many = `SELECT CASE WHEN i % 2 = 0 THEN 'on' ELSE 'off' END AS tap,
    lpad((i % 96 // 4)::VARCHAR, 2, '0') || ':15' AS time, 'stop ' || md5(i::VARCHAR) AS location, i AS count
    FROM range(${ROWS}) AS numbers(i)`;
  const cells = await stored(many);
  const rows = await duckdb(`SELECT * FROM (${many}) ORDER BY tap, time, location`);
  expect([cells.length, rows.length]).toEqual([ROWS, ROWS]);
  const differs = cells.findIndex((cell, place) =>
    cell.some((value, field) => String(value) !== String(rows[place]![field])),
  );
  expect(differs).toBe(-1);
  expect(cells.every(([, , , count]) => typeof count === 'number')).toBe(true);
});

test('one that was not binned is missing', async () => {
  await expect(readCellRows(bench.context, bench.run(), 0, PARTITION)).rejects.toMatchObject({
    code: 'OBJECT_MISSING',
  });
});
