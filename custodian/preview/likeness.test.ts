import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alikeObjects, likeness, lowestHashes, SKETCH_ROWS, type Sketch } from './likeness.ts';

const hash = (number: number): number => Math.imul(number + 1, 0x9e3779b1) >>> 0;
/** The sketch of rows that are named by numbers. */
const sketch = (rows: readonly number[]): Sketch => lowestHashes([], Uint32Array.from(rows, hash));
const rows = (from: number, many: number): number[] => Array.from({ length: many }, (_, at) => from + at);

test('equal rows are all in common, other rows none, and of few rows nothing is said', () => {
  const file = rows(0, 5000);
  expect(likeness(sketch(file), sketch(file))).toBe(1);
  expect(likeness(sketch(file), sketch(rows(5000, 5000)))).toBe(0);
  expect(likeness(sketch(rows(0, 19)), sketch(rows(0, 19)))).toBeNull();
  expect(likeness(sketch([]), sketch(file))).toBeNull();
});

test('a row counts as often as it is there: pieces of a busy day are not alike', () => {
  const often = rows(0, 40).flatMap((row) => Array.from({ length: 5 }, () => row));
  expect(likeness(sketch(often), sketch(often))).toBe(1);
  expect(likeness(sketch(often), sketch(rows(0, 40)))).toBe(1);
  const [some, others] = [0, 1].map((half) => often.filter((_, at) => at % 5 < 2 + half));
  expect(likeness(sketch([...some!, ...rows(100, 80)]), sketch([...others!, ...rows(900, 80)]))).toBeLessThan(0.6);
});

test('the sketch of one more line end, and of a few rows more, is alike; the smaller object is compared', () => {
  const week = rows(0, 4000);
  const named = [
    { object: 'a.csv', sketch: sketch(week) },
    { object: 'b.csv', sketch: sketch([...week, ...rows(9000, 40)]) },
    { object: 'c.csv', sketch: sketch(rows(20_000, 4000)) },
    { object: 'half.csv', sketch: sketch(week.slice(0, 2000)) },
  ];
  expect(alikeObjects(named).map(({ objects }) => objects)).toEqual([
    ['a.csv', 'b.csv'],
    ['a.csv', 'half.csv'],
    ['b.csv', 'half.csv'],
  ]);
});

test('the lowest hashes of rows, each as often as it is there, are the same in whatever pieces the rows come', () => {
  const hashes = fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 2000 });
  fc.assert(
    fc.property(hashes, fc.integer({ min: 1, max: 500 }), (all, many) => {
      let found: Sketch = [];
      for (let at = 0; at < all.length; at += many)
        found = lowestHashes(found, Uint32Array.from(all.slice(at, at + many)));
      expect(found).toEqual([...all].sort((a, b) => a - b).slice(0, SKETCH_ROWS));
    }),
  );
});

test('likeness is symmetric, between 0 and 1, and near the part that is in common', () => {
  const sizes = fc.integer({ min: 300, max: 3000 });
  fc.assert(
    fc.property(sizes, sizes, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, part) => {
      const common = Math.floor(part * Math.min(a, b));
      const [one, other] = [sketch(rows(0, a)), sketch([...rows(0, common), ...rows(10_000, b - common)])];
      const share = likeness(one, other)!;
      expect(likeness(other, one)).toBe(share);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(Math.abs(share - common / Math.min(a, b))).toBeLessThan(0.25);
    }),
    { numRuns: 50 },
  );
});
