import { describe, expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import { discreteLaplace } from '../random/discrete-laplace.ts';
import { rational } from '../rational/rational.ts';
import { logSmallNoiseBound } from './clear-pairs.ts';
import { clearMean, type DeclaredNoise, differenceSizes, type EqualPair, isClear } from './pair-laws.ts';
import { logSumBound } from './sum-test.ts';

const NOISE: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 18 };

const seen = (truths: readonly number[], draw: () => number): EqualPair[] =>
  truths.map((truth): EqualPair => [truth + draw(), truth + draw()]).filter((pair) => Math.min(...pair) >= 18);

const sumOf = (pairs: readonly EqualPair[]): number => pairs.reduce((sum, [x, y]) => sum + Math.abs(x - y), 0);

/** A naive bound: all clear pairs as if they had not been chosen by their mean. */
const naive = (pairs: readonly EqualPair[]): number => {
  const clear = pairs.filter((pair) => isClear(NOISE, pair));
  return logSumBound(differenceSizes(NOISE), { n: clear.length, sum: sumOf(clear) }, 'small', 0.5);
};

describe('too little noise among clear pairs', () => {
  // 200 runs for each truth: more than the level of them plus four standard errors has a chance under 1e-4.
  test.each([26, 27, 28, 30, 32])('is super-uniform when every truth is %d', (truth) => {
    const noise = discreteLaplace(rational(1n), seededSource(truth));
    const truths = Array<number>(150).fill(truth);
    const pValues = Array.from({ length: 200 }, () =>
      Math.exp(
        logSmallNoiseBound(
          NOISE,
          seen(truths, () => noise.draw()),
        ),
      ),
    );
    for (const level of [0.05, 0.01])
      expect(pValues.filter((p) => p <= level).length).toBeLessThanOrEqual(
        200 * level + 4 * Math.sqrt(200 * level * (1 - level)),
      );
  });

  test('broken twin: without regard to the choice of pairs, truths just above the limit raise false alarms', () => {
    const noise = discreteLaplace(rational(1n), seededSource(2));
    const pairs = seen(Array<number>(4000).fill(27), () => noise.draw());
    expect(Math.exp(naive(pairs))).toBeLessThan(1e-6);
    expect(Math.exp(logSmallNoiseBound(NOISE, pairs))).toBeGreaterThan(0.05);
  });

  // 100 runs of 1,300 pairs: the power is 99.9 %, so that more than 2 misses have a chance under 1e-3.
  test('still has the power to see noise of 0.8 times the scale', () => {
    const noise = discreteLaplace(rational(4n, 5n), seededSource(3));
    expect(clearMean(NOISE)).toBe(26.5);
    const truths = Array<number>(1300).fill(60);
    const pairs = Array.from({ length: 100 }, () => seen(truths, () => noise.draw()));
    for (const declared of [NOISE, { ...NOISE, threshold: null }])
      expect(pairs.filter((one) => logSmallNoiseBound(declared, one) > Math.log(1.25e-6)).length).toBeLessThanOrEqual(
        2,
      );
  });

  test('of no clear pairs says nothing', () => expect(logSmallNoiseBound(NOISE, [[18, 19]])).toBe(0));
});
