import { beforeEach, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { PublicDomain } from '../../../counts/mechanisms/public-domain.ts';
import { readCellRows } from '../../../test/support/cell-rows.ts';
import { cellBytes, readCells, requireLeftOut } from './cells.ts';
import { StageBench } from './stages.fixture.ts';

const LISTS: PublicDomain = {
  taps: ['off', 'on'],
  times: ['04:00', '28:15'],
  locations: ['', 'naïve \'"\\ 駅 🚌'],
};
const EMPTY = { ...LISTS, places: new Uint32Array(), counts: new Float64Array() };

const PARTITION = { part: 'bus', day: '2026-03-02' };

let bench: StageBench;
beforeEach(async () => {
  bench = await StageBench.open();
});

test('what bin stores is read as it was: odd names, the largest counts, what the bound left out', async () => {
  const cells = { ...LISTS, places: Uint32Array.of(1, 6), counts: Float64Array.of(9007199254740991, 1) };
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, cellBytes({ cells, leftOut: [['on', 3]] }));
  const stored = await readCells(bench.context.privateStore, PRIVATE_KEYS.cells(bench.run(), 0, PARTITION));
  expect(requireLeftOut(stored)).toEqual([['on', 3]]);
  expect(await readCellRows(bench.context, bench.run(), 0, PARTITION)).toEqual([
    ['off', '04:00', 'naïve \'"\\ 駅 🚌', 9007199254740991],
    ['on', '28:15', '', 1],
  ]);
});

test('cells that do not say what the bound left out are a mistake', async () => {
  expect(() => requireLeftOut({ cells: EMPTY, leftOut: null })).toThrow(TypeError);
});

test('a partition without taps has no cells', async () => {
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, cellBytes({ cells: EMPTY, leftOut: null }));
  expect(await readCellRows(bench.context, bench.run(), 0, PARTITION)).toEqual([]);
});

test('what is not of its form is refused', async () => {
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, Buffer.from('PAR1'));
  await expect(readCells(bench.context.privateStore, PRIVATE_KEYS.cells(bench.run(), 0, PARTITION))).rejects.toThrow();
});

test.each([
  [[-1], [1]],
  [[0.5], [1]],
  [[2 ** 32], [1]],
  [['1'], [1]],
  [[1], ['7']],
  [[1], [null]],
  [[1, 1], [1]],
  [[1], [1, 1]],
])('a place that no domain has, or a count that is no number, is refused: %j %j', async (steps, counts) => {
  const stored = { ...JSON.parse(cellBytes({ cells: EMPTY, leftOut: null }).toString()), steps, counts };
  const key = PRIVATE_KEYS.cells(bench.run(), 0, PARTITION);
  await bench.context.privateStore.putIfAbsent(key, Buffer.from(JSON.stringify(stored)));
  await expect(readCells(bench.context.privateStore, PRIVATE_KEYS.cells(bench.run(), 0, PARTITION))).rejects.toThrow(
    TypeError,
  );
});

test('one that was not binned is missing', async () => {
  await expect(readCellRows(bench.context, bench.run(), 0, PARTITION)).rejects.toMatchObject({
    code: 'OBJECT_MISSING',
  });
});
