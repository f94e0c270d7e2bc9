import { expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { readJson } from '../../../services/stores/json-objects.ts';
import type { Binned, Objects } from '../../../test/support/day-release.ts';
import { valuesOfCell } from '../mechanism/workload.ts';
import { binSmall, HEADER, PARTITIONS, type SmallChange } from '../small-synthetic.fixture.ts';
import { cellCountsSchema } from './row-counts.ts';

const SHAPE = [21, 3, 3];
const TIMES = Array.from({ length: 20 }, (_, hour) => `${String(hour + 6).padStart(2, '0')}:00`);
const LABELS = [
  [...TIMES, 'other'],
  ['Airport', 'Beach, north', 'UNKNOWN'],
  ['adult', 'child', 'UNKNOWN'],
];

async function cellsOf({ context, run }: Binned, part = 'bus'): Promise<Record<string, number>> {
  const partition = PARTITIONS.find((one) => one.part === part)!;
  const { cells } = await readJson(context.privateStore, PRIVATE_KEYS.cells(run, 0, partition), cellCountsSchema);
  const names = cells.map(([cell, rows]): [string, number] => [
    valuesOfCell(SHAPE, cell)
      .map((value, attribute) => LABELS[attribute]![value])
      .join(' '),
    rows,
  ]);
  return Object.fromEntries(names);
}

const none = `${HEADER}\n`;
const of = (objects: Objects, change: SmallChange = {}): Promise<Binned> => binSmall(objects, change);
const rows = (...lines: string[]): string => [HEADER, ...lines, ''].join('\n');

test('C3, C4: a row is counted in the cell of its own values, and what is in no domain is unknown', async () => {
  const run = await of({
    'bus.csv': rows(
      'a,08:10,A1,adult',
      'a,2026-03-02T08:59:59.9,A2, adult ',
      'b,00:30,B1,child',
      'c,05:59,nowhere,ADULT',
      'd,02:00,A1,child',
      'e,99:99,A1,child',
      `f,${'9'.repeat(5000)}:00,A1,child`,
    ),
    'ferry.csv': none,
  });
  expect(await cellsOf(run)).toEqual({
    '08:00 Airport adult': 2,
    '24:00 Beach, north child': 1,
    'other UNKNOWN UNKNOWN': 1,
    'other Airport child': 3,
  });
  expect(await cellsOf(run, 'ferry')).toEqual({});
});

test('C5: a line that is no row is a private reject, and costs its own row alone', async () => {
  const run = await of({
    'bus.csv': rows('a,08:10,A1,adult', 'b,08:10,A1', 'c,"08:10,A1,adult', 'd,08:10,A1,adult\u2028e,08:10,A1'),
    'ferry.csv': none,
  });
  expect(await cellsOf(run)).toEqual({ '08:00 Airport adult': 1 });
  expect(run.faults).toEqual([]);
  expect(await run.context.privateStore.head(PRIVATE_KEYS.rejects(run.run, 0, 0))).not.toBeNull();
});

test('C3: objects with equal bytes are read once, under the first name', async () => {
  const delivery = rows('a,08:10,A1,adult');
  const run = await of({ 'bus.csv': delivery, 'ferry.csv': delivery });
  expect(await cellsOf(run)).toEqual({ '08:00 Airport adult': 1 });
  expect(await cellsOf(run, 'ferry')).toEqual({});
});

test('C6: an object without a column, or with it twice, holds back its part alone', async () => {
  const run = await of({ 'bus.csv': 'card,on_time,fare\n', 'ferry.csv': rows('a,08:10,A1,adult') });
  expect(run.faults).toMatchObject([{ code: 'OBJECT_SCHEMA', partitions: [{ part: 'bus' }] }]);
  expect(await cellsOf(run, 'ferry')).toEqual({ '08:00 Airport adult': 1 });
  const twice = await of({ 'bus.csv': `${HEADER},stop\n`, 'ferry.csv': none });
  expect(twice.faults).toMatchObject([{ code: 'OBJECT_SCHEMA' }]);
});

test('C11: the order of rows changes nothing', async () => {
  const lines = ['a,08:10,A1,adult', 'b,09:10,B1,child', 'c,08:20,A1,adult'];
  const key = PRIVATE_KEYS.cells({ series: 'small', window: '2026-03-02', version: 1 }, 0, PARTITIONS[0]!);
  const texts = [lines, lines.toReversed()].map(async (some) => {
    const { context } = await of({ 'bus.csv': rows(...some), 'ferry.csv': none });
    return readJson(context.privateStore, key, cellCountsSchema);
  });
  const [one, other] = await Promise.all(texts);
  expect(one).toEqual(other);
  expect(one!.cells).toHaveLength(2);
});
