import { describe, expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import { discreteLaplace } from '../random/discrete-laplace.ts';
import { rational } from '../rational/rational.ts';
import { noiseProbability } from './noise-law.ts';
import { logSumBound, type SizeLaw } from './sum-test.ts';

/** The law of |X| for discrete Laplace noise. */
const sizes = (scale: number): number[] =>
  Array.from(
    { length: Math.ceil(60 * scale) },
    (_, x) => (x === 0 ? 1 : 2) * noiseProbability('discrete-laplace', scale, x),
  );

/** A law from its chances, one by one. */
const lawOf = (chances: readonly number[]): SizeLaw => ({
  mean: chances.reduce((sum, chance, size) => sum + size * chance, 0),
  logMoment: (exponent) => Math.log(chances.reduce((sum, chance, size) => sum + chance * Math.exp(exponent * size), 0)),
});

function sumLaw(laws: readonly (readonly number[])[]): number[] {
  return laws.reduce<number[]>(
    (sum, law) => {
      const next = Array<number>(sum.length + law.length - 1).fill(0);
      for (let i = 0; i < sum.length; i += 1) for (let j = 0; j < law.length; j += 1) next[i + j]! += sum[i]! * law[j]!;
      return next;
    },
    [1],
  );
}

describe('the bound on sums', () => {
  test('holds on both sides, also for sizes that are no smaller or no larger, by convolution', () => {
    const [smaller, larger] = [lawOf(sizes(0.8)), lawOf(sizes(1))];
    const exact = sumLaw(Array.from({ length: 12 }, (_, index) => sizes(index % 2 ? 1 : 0.8)));
    for (let sum = 0; sum < 60; sum += 1) {
      const atMost = exact.slice(0, sum + 1).reduce((total, value) => total + value, 0);
      const atLeast = exact.slice(sum).reduce((total, value) => total + value, 0);
      expect(Math.exp(logSumBound(smaller, { n: 12, sum }, 'small', 0.5))).toBeGreaterThanOrEqual(atMost);
      expect(Math.exp(logSumBound(larger, { n: 12, sum }, 'large', 0.5))).toBeGreaterThanOrEqual(atLeast);
    }
  });

  test('is not loose: for n sizes it loses less than a factor of 20', () => {
    const hundred = sumLaw(Array.from({ length: 100 }, () => sizes(1).slice(0, 40)));
    for (const sum of [40, 60, 130, 160]) {
      const side = sum < 85 ? 'small' : 'large';
      const tail = (side === 'small' ? hundred.slice(0, sum + 1) : hundred.slice(sum)).reduce((a, b) => a + b, 0);
      expect(Math.exp(logSumBound(lawOf(sizes(1)), { n: 100, sum }, side, 0.5)) / tail).toBeLessThan(20);
    }
  });

  test('broken twin: the bound of one law does not hold for the other', () => {
    const sum = 4;
    const atMost = sumLaw(Array.from({ length: 12 }, () => sizes(0.8)))
      .slice(0, sum + 1)
      .reduce((total, value) => total + value, 0);
    expect(Math.exp(logSumBound(lawOf(sizes(1.4)), { n: 12, sum }, 'small', 0.5))).toBeLessThan(atMost);
  });

  test('of no sizes says nothing', () => expect(logSumBound(lawOf(sizes(1)), { n: 0, sum: 0 }, 'small', 0.5)).toBe(0));

  // An honest run is rejected with a chance of at most 2.5e-6, a mutant missed with at most 1e-3 (1,431 samples).
  test('catches noise of 0.8 times the scale, and passes honest noise', () => {
    const [honest, mutant] = [
      discreteLaplace(rational(1n), seededSource(1)),
      discreteLaplace(rational(4n, 5n), seededSource(2)),
    ];
    const bound = (draw: () => number): number => {
      const sum = Array.from({ length: 1431 }, () => Math.abs(draw())).reduce((total, size) => total + size, 0);
      return Math.exp(logSumBound(lawOf(sizes(1)), { n: 1431, sum }, 'small', 0.5));
    };
    for (let run = 0; run < 50; run += 1) {
      expect(bound(() => honest.draw())).toBeGreaterThan(1.25e-6);
      expect(bound(() => mutant.draw())).toBeLessThanOrEqual(1.25e-6);
    }
  });
});
