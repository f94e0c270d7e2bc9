import { expect, test } from 'vitest';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import { hourRowInterval } from './hour-row-interval.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const SCALE = 20 / 31;
const REACH = 40;

/** P[the row of two cells is published and an interval of this half width misses], by every pair of noise values. */
function missed(halfWidth: number, counts: readonly [number, number], floor: number, hourFloor: number): number {
  let chance = 0;
  for (let x = -REACH; x <= REACH; x++)
    for (let y = -REACH; y <= REACH; y++) {
      const covered = (
        [
          [counts[0], x],
          [counts[1], y],
        ] as const
      ).filter(([c, noise]) => c + noise < floor);
      const sum = covered.reduce((total, [c, noise]) => total + c + noise, 0);
      const exact = covered.reduce((total, [c]) => total + c, 0);
      if (sum < hourFloor || Math.abs(sum - exact) <= halfWidth) continue;
      chance += noiseProbability('discrete-laplace', SCALE, x) * noiseProbability('discrete-laplace', SCALE, y);
    }
  return chance;
}

const halfWidthOf = (confidence: number, bins: number): number =>
  hourRowInterval(1000, confidence, laplace(SCALE), bins).highest - 1000;

test('@contract C19 whatever is counted, the row is published and the interval misses with at most that chance', () => {
  for (const confidence of [0.5, 0.9, 0.95, 0.99])
    for (const a of [0, 2, 5, 6, 7, 9])
      for (const b of [0, 4, 6, 8])
        expect(missed(halfWidthOf(confidence, 2), [a, b], 7, 7)).toBeLessThanOrEqual(1 - confidence);
});

test('the twin of one cell alone misses more often', () => {
  // Nearly always published, with all of its noise.
  expect(missed(halfWidthOf(0.9, 2) - 2, [40, 40], 80, 80)).toBeGreaterThan(0.1);
});

test('the half width is that of the sizes of all the noise, and the smallest', () => {
  const size = (x: number): number => (x === 0 ? 1 : 2) * noiseProbability('discrete-laplace', SCALE, x);
  const atMost = (h: number): number => {
    let chance = 0;
    for (let x = 0; x <= h; x++) for (let y = 0; x + y <= h; y++) chance += size(x) * size(y);
    return chance;
  };
  for (const confidence of [0.5, 0.9, 0.95, 0.99]) {
    const h = halfWidthOf(confidence, 2);
    expect(atMost(h)).toBeGreaterThanOrEqual(confidence);
    if (h > 0) expect(atMost(h - 1)).toBeLessThan(confidence);
  }
  expect(halfWidthOf(0.95, 4)).toBeGreaterThan(halfWidthOf(0.95, 2));
});

test('no exact number is negative', () => {
  expect(hourRowInterval(1, 0.95, laplace(SCALE), 4).lowest).toBe(0);
});
