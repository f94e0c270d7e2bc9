import { expect, test } from 'vitest';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { cellNoise } from './cell-noise.ts';
import { hourTails } from './hour-law.ts';

/** The same in floating point, by adding up all noise of all bins: nothing of the shape of the law is used. */
function enumerated(pattern: readonly number[], floor: number, b: number, sum: number): number {
  const alpha = Math.exp(-1 / b);
  const reach = Math.ceil(40 * b) + floor;
  const visit = (bin: number, total: number): number => {
    if (bin === pattern.length) return total >= sum ? 1 : 0;
    let chance = 0;
    for (let x = -reach; x <= reach; x++) {
      const noisy = pattern[bin]! + x;
      chance +=
        ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(x) * visit(bin + 1, total + (noisy < floor ? noisy : 0));
    }
    return chance;
  };
  return visit(0, 0);
}

const tail = (pattern: number[], floor: number, b: string, sum: number) =>
  hourTails(pattern, floor, cellNoise('complete-domain', parseRational(b)), 128)(sum);

test.each([
  [[1, 0], 3, '1/2', 3],
  [[1, 0], 3, '1/2', 4],
  [[0, 0], 4, '1', 5],
  [[2, 0], 4, '1', 4],
  [[1, 1], 4, '1', 6],
  [[1, 0, 0], 3, '1/2', 3],
] as const)('C8: an hour of %j taps under the floor %i, b = %s, sum %i', (pattern, floor, b, sum) => {
  const { lower, upper } = tail([...pattern], floor, b, sum);
  const expected = enumerated(pattern, floor, toNumber(parseRational(b)), sum);
  expect(toNumber(lower)).toBeCloseTo(expected, 12);
  expect(Math.abs(toNumber(lower) / expected - 1)).toBeLessThan(1e-9);
  expect(toNumber(upper) / toNumber(lower) - 1).toBeLessThan(1e-12);
});

test('no sum reaches beyond what all bins have below the floor', () => {
  expect(toNumber(tail([1, 0], 4, '1', 6).lower)).toBeGreaterThan(0);
  expect(tail([1, 0], 4, '1', 7)).toEqual({ lower: parseRational('0'), upper: parseRational('0') });
});

/** All ways to put at most `taps` taps into four bins, up to order. */
const patternsOf = (taps: number, bins = 4, most = taps): number[][] =>
  bins === 0
    ? [[]]
    : Array.from({ length: Math.min(taps, most) + 1 }, (_, first) => first).flatMap((first) =>
        patternsOf(taps - first, bins - 1, first).map((rest) => [first, ...rest]),
      );

test.each([
  [2, 7, '1/2', 9],
  [4, 10, '3/5', 12],
  [5, 14, '1', 19],
])(
  'C8: no pattern of %i taps shows more under the floor %i, b = %s, than all in one bin or spread evenly',
  (taps, floor, b, sum) => {
    const chance = (pattern: number[]): number => toNumber(tail(pattern, floor, b, sum).upper);
    const together = [taps, 0, 0, 0];
    const spread = [3, 2, 1, 0].map((bin) => Math.floor((taps + bin) / 4));
    const stated = Math.max(chance(together), chance(spread));
    const worst = Math.max(...patternsOf(taps).map(chance));
    expect(worst / stated - 1).toBeLessThan(1e-12);
    // A twin that knows one of them only would state less.
    expect(chance(together)).toBeLessThan(stated);
  },
);
