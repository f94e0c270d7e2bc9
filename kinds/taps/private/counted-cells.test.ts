import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/new-folder.ts';
import { type CountedCells, HIGHEST_COUNT, type ObjectCounts, openCounts } from './counted-cells.ts';

const CELLS = 7;
const path = join(newFolder(), 'cells');
const ALL = [{ firstCell: 0, cells: CELLS }];

/** All counts, by cell. */
function countsOf(counted: CountedCells): number[] {
  const found = Array.from({ length: CELLS }, () => 0);
  for (const { first, counts } of counted.ranges())
    for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) found[first + at] = counts[at]!;
  return found;
}

/** Objects with their taps by cell, and whether they are kept. */
const objects = fc.array(
  fc.record({ kept: fc.boolean(), taps: fc.array(fc.tuple(fc.nat(CELLS - 1), fc.integer({ min: 1, max: 3 }))) }),
  { maxLength: 6 },
);

const expected = (all: readonly { kept: boolean; taps: [number, number][] }[]): number[] => {
  const sums = Array.from({ length: CELLS }, () => 0);
  for (const { kept, taps } of all) if (kept) for (const [cell, count] of taps) sums[cell]! += count;
  return sums;
};

test('property: objects in turn, in memory and put aside: what is kept is counted, and nothing else', () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(CELLS, 3, 1), (all, cellsAtOnce) => {
      const counted = openCounts(CELLS, { path, cellsAtOnce, blockRows: 2 });
      for (const { kept, taps } of all) {
        const own = counted.begin();
        for (const [cell, count] of taps) own.add(cell, count);
        if (kept) own.keep(ALL);
        else own.drop();
      }
      expect(countsOf(counted)).toEqual(expected(all));
    }),
  );
});

test('property: objects beside each other, whose taps come in any order: the same', () => {
  fc.assert(
    fc.property(objects, fc.infiniteStream(fc.nat()), (all, choices) => {
      const counted = openCounts(CELLS, { path, cellsAtOnce: CELLS, blockRows: 2 });
      expect(counted.objectsAtOnce).toBeGreaterThan(6);
      let waiting = all.map(({ kept, taps }) => ({ own: counted.begin(), kept, taps: [...taps] }));
      const end = (own: ObjectCounts, kept: boolean): void => (kept ? own.keep(ALL) : own.drop());
      while (waiting.length > 0) {
        const one = waiting[choices.next().value! % waiting.length]!;
        const tap = one.taps.pop();
        if (tap) one.own.add(...tap);
        else end(one.own, one.kept);
        if (!tap) waiting = waiting.filter((other) => other !== one);
      }
      expect(countsOf(counted)).toEqual(expected(all));
    }),
  );
});

test('a count stays at the highest', () => {
  const counted = openCounts(CELLS, { path, cellsAtOnce: CELLS, blockRows: 2 });
  for (const taps of [HIGHEST_COUNT, 5]) {
    const own = counted.begin();
    own.add(2, taps);
    own.add(2, 1);
    own.keep(ALL);
  }
  expect(countsOf(counted)[2]).toBe(HIGHEST_COUNT);
});

test('cells that are put aside are of one object at a time, and so are very many', () => {
  expect(openCounts(CELLS, { path, cellsAtOnce: 3, blockRows: 2 }).objectsAtOnce).toBe(1);
  expect(openCounts(2 ** 24, { path, cellsAtOnce: 2 ** 25, blockRows: 2 }).objectsAtOnce).toBe(1);
});
