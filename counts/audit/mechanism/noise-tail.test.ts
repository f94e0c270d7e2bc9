import { describe, expect, test } from 'vitest';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { beyondTails, TAIL_SCALES, tailChance, tailTest } from './noise-tail.ts';
import type { NoiseTally } from './shadow-tallies.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const tallyOf = (values: number, beyond: number[]): NoiseTally => ({
  bins: [values],
  sumOfSizes: 0,
  missing: 0,
  beyond,
});

describe('noise beyond some scales', () => {
  test.each([0.1, 5 / 9, 1, 1.25, 40])('has the chance of the values beyond (scale %f)', (scale) => {
    for (const scales of TAIL_SCALES['discrete-laplace']) {
      let sum = 0;
      for (let x = Math.ceil(80 * scale); x > scales * scale; x -= 1)
        sum += 2 * noiseProbability('discrete-laplace', scale, x);
      expect(tailChance(laplace(scale), scales) / sum).toBeCloseTo(1, 9);
    }
  });

  test('is counted on both sides, and not at the limit itself', () => {
    expect(beyondTails(laplace(1), [6, -6, 7, -7, 8, -8, 0])).toEqual([4, 2]);
    expect(beyondTails(laplace(1.25), [7, 8, -8, 9])).toEqual([3, 1]);
  });

  test('none of it in 15,360 values is found; the expected number, and five times it, are and are not', () => {
    const expected = TAIL_SCALES['discrete-laplace'].map((scales) =>
      Math.round(15_360 * tailChance(laplace(1.25), scales)),
    );
    expect(tailTest(tallyOf(15_360, expected), laplace(1.25))).toBe(1);
    expect(tailTest(tallyOf(15_360, [0, 0]), laplace(1.25))).toBeLessThan(1e-9);
    expect(
      tailTest(
        tallyOf(
          15_360,
          expected.map((count) => 5 * count),
        ),
        laplace(1.25),
      ),
    ).toBeLessThan(1e-9);
    // Broken twin: a tenth of the values would show nothing.
    expect(tailTest(tallyOf(1_536, [0, 0]), laplace(1.25))).toBeGreaterThan(1e-3);
  });
});
