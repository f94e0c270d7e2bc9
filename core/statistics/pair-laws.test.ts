import { describe, expect, test } from 'vitest';
import { callsOf } from '../../test/support/calls-of.ts';
import { differenceProbability } from './difference-law.ts';
import { type IntegerNoise, noiseProbability } from './noise-law.ts';
import {
  chancesUnder,
  clearMean,
  type DeclaredNoise,
  differenceSizes,
  equalityChance,
  isClear,
  leastSum,
  sumMoments,
} from './pair-laws.ts';

const noise = <Model extends IntegerNoise>(
  model: Model,
  scale: number,
  threshold: number | null,
): DeclaredNoise & { model: Model } => ({
  model,
  scale,
  threshold,
});

type Pair = { x: number; y: number; weight: number };

/** Both noises of a pair with their chance, all that are not far too seldom. */
const pairs = (model: IntegerNoise, scale: number, reach: number): Pair[] =>
  Array.from({ length: (2 * reach + 1) ** 2 }, (_, index) => {
    const [x, y] = [Math.floor(index / (2 * reach + 1)) - reach, (index % (2 * reach + 1)) - reach];
    return { x, y, weight: noiseProbability(model, scale, x) * noiseProbability(model, scale, y) };
  });

const total = (list: readonly Pair[], value: (pair: Pair) => number = () => 1): number =>
  list.reduce((sum, pair) => sum + pair.weight * value(pair), 0);

describe.each(['discrete-laplace', 'rounded-laplace'] as const)('pairs of %s noise', (model) => {
  const all = pairs(model, 1.4, 70);
  const declared = noise(model, 1.4, 18);

  test('have the moments by sum that enumeration gives', () => {
    for (const exponent of [0, 0.1, 0.7, 5])
      for (let least = -9; least <= 9; least += 1) {
        const moment = ({ x, y }: Pair): number => Math.exp(-exponent * Math.abs(x - y));
        const moments = sumMoments(declared, exponent);
        const from = total(
          all.filter(({ x, y }) => x + y >= least),
          moment,
        );
        const below = total(
          all.filter(({ x, y }) => x + y < least),
          moment,
        );
        expect(moments.from(least) / from).toBeCloseTo(1, 10);
        expect(moments.below(least) / below).toBeCloseTo(1, 10);
      }
  });

  test('have the law of differences, its mean and its moments', () => {
    const { mean, logMoment } = differenceSizes(declared);
    const sizes = Array.from({ length: 200 }, (_, d) => (d === 0 ? 1 : 2) * differenceProbability(model, 1.4, d));
    expect(mean).toBeCloseTo(
      sizes.reduce((sum, chance, d) => sum + d * chance, 0),
      10,
    );
    for (const exponent of [-3, -0.2, 0, 1e-9, 0.1, 0.35])
      expect(Math.exp(logMoment(exponent))).toBeCloseTo(
        sizes.reduce((sum, chance, d) => sum + chance * Math.exp(exponent * d), 0),
        9,
      );
  });

  test('hide one count under the threshold no more often than is said', () => {
    const hiddenOf = chancesUnder(declared, 24.5);
    for (let truth = 17; truth < 50; truth += 1) {
      const seen = all.filter(({ x, y }) => x + y >= leastSum(truth, 24.5));
      const hidden = total(seen.filter(({ x, y }) => truth + Math.min(x, y) < 18));
      expect(hidden).toBeLessThanOrEqual(hiddenOf(truth) * (1 + 1e-12));
      // For truths near the threshold the bound is the chance itself, but for noise at the edge.
      if (truth > 17 && truth < 31) expect(hiddenOf(truth) / hidden).toBeLessThan(1.0001);
    }
  });

  test('are equal no more often than is said, for the worst truth as often', () => {
    const chances = Array.from({ length: 60 }, (_, index) => {
      const truth = 12 + index;
      const seen = all.filter(({ x, y }) => truth + Math.min(x, y) >= 18 && x + y >= leastSum(truth, 30.5));
      return total(seen.filter(({ x, y }) => x === y)) / total(seen);
    });
    expect(equalityChance(declared, 30.5) / Math.max(...chances)).toBeCloseTo(1, 9);
    expect(equalityChance({ ...declared, threshold: null }, Number.NEGATIVE_INFINITY)).toBeCloseTo(
      differenceProbability(model, 1.4, 0),
      12,
    );
  });

  // What the p-value of too much noise rests on (pair-laws.proof.md).
  test('that are both published differ no more, at any size, than pairs of which none is hidden', () => {
    const beyond = (list: readonly Pair[], size: number): number =>
      total(list.filter(({ x, y }) => Math.abs(x - y) >= size)) / total(list);
    for (const truth of [12, 17, 18, 20, 24])
      for (const size of [1, 2, 5, 9]) {
        const published = all.filter(({ x, y }) => truth + Math.min(x, y) >= 18);
        expect(beyond(published, size)).toBeLessThanOrEqual(beyond(all, size) + 1e-12);
      }
  });
});

describe('clear pairs', () => {
  test('broken twin: the plain chance misses what suppression does to pairs near the threshold', () => {
    const near = equalityChance(noise('discrete-laplace', 1, 18), 18.5);
    expect(near / differenceProbability('discrete-laplace', 1, 0)).toBeGreaterThan(1.1);
  });

  test('a pair is clear from T + 8b and a half on', () => {
    const declared = noise('discrete-laplace', 2, 18);
    expect(clearMean(declared)).toBe(34.5);
    expect(isClear(declared, [34, 35])).toBe(true);
    expect(isClear(declared, [33, 35])).toBe(false);
    expect(isClear(noise('discrete-laplace', 2, null), [-5, 0])).toBe(true);
  });

  test('cost no more than the scale', () => {
    const steps = (scale: number): number => {
      const declared = noise('discrete-laplace', scale, Math.ceil(15 * scale));
      return callsOf('exp', () => equalityChance(declared, clearMean(declared)));
    };
    expect(steps(800)).toBeLessThan(8.5 * steps(100));
    expect(steps(800)).toBeLessThan(800 * 500);
  });
});
