import { beforeEach, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { readCellRows } from '../../../test/support/cell-rows.ts';
import { cellBytes, leftOutOf, readCells } from './cells.ts';
import { StageBench } from './stages.fixture.ts';

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

test('a partition without taps has no cells', async () => {
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  const cells = { ...LISTS, places: new Uint32Array(), counts: new Float64Array() };
  await bench.context.privateStore.putIfAbsent(key, cellBytes({ cells, leftOut: null }));
  expect(await readCellRows(bench.context, bench.run(), 0, PARTITION)).toEqual([]);
});

test('what is not of its form is refused', async () => {
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, Buffer.from('PAR1'));
  await expect(readCells(bench.context, bench.run(), 0, PARTITION)).rejects.toThrow();
});

test('one that was not binned is missing', async () => {
  await expect(readCellRows(bench.context, bench.run(), 0, PARTITION)).rejects.toMatchObject({
    code: 'OBJECT_MISSING',
  });
});
