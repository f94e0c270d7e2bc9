import { describe, expect, test } from 'vitest';
import { sizeLaw } from '../../counts/audit/mechanism/noise-bins.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { noiseProbability } from './noise-law.ts';
import { findScaleShare } from './noticed-scale.ts';
import { samplesForSum } from './required-samples.fixture.ts';
import { PLANNED } from './required-samples.ts';
import { logSumBound } from './sum-test.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const half = { ...PLANNED, level: PLANNED.level / 2 };

describe('the share of a scale that is noticed', () => {
  test.each([
    [0.3, 16_000],
    [5 / 9, 16_000],
    [1, 6422],
    [1, 152],
    [3, 2000],
  ])(
    'scale %f, %i samples: as many as are required for it, and not for a share that is 1 % nearer',
    (scale, samples) => {
      const share = findScaleShare(samples, scale, half);
      const required = (factor: number): number =>
        samplesForSum(sizeLaw(laplace(scale)), sizeLaw(laplace(scale * factor)), PLANNED, 0.5 / scale);
      expect(share).toBeGreaterThan(0.1);
      expect(required(share)).toBeLessThanOrEqual(samples + 1);
      expect(required(1 - 0.99 * (1 - share))).toBeGreaterThan(samples);
    },
  );

  test('more samples notice more, and too few nothing', () => {
    const shares = [0, 5, 100, 1000, 100_000].map((samples) => findScaleShare(samples, 1, PLANNED));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.slice(0, 2)).toEqual([0, 0]);
    expect(shares.at(-1)).toBeGreaterThan(0.95);
  });

  // 400 runs with a fixed seed: at a power of 90 %, fewer than 340 have a chance under 1e-3.
  test('is found as often as stated, and broken twin: a share in the middle is not', () => {
    const goal = { level: 1e-3, power: 0.9 };
    const [scale, samples] = [1.5, 300];
    const share = findScaleShare(samples, scale, goal);
    const found = (factor: number): number => {
      const random = seededSource(3);
      const draw = sampler(sizeChances(scale * factor), () => random.uint32() / 2 ** 32);
      return Array.from({ length: 400 }, () => {
        const sum = Array.from({ length: samples }, draw).reduce((total, size) => total + size, 0);
        return logSumBound(sizeLaw(laplace(scale)), { n: samples, sum }, 'small', 0.5 / scale) <= Math.log(goal.level);
      }).filter(Boolean).length;
    };
    expect(found(share)).toBeGreaterThan(340);
    expect(found((1 + share) / 2)).toBeLessThan(340);
  });
});

/** P[|X| = 0], P[|X| = 1], … of discrete Laplace noise. */
const sizeChances = (scale: number): number[] =>
  Array.from(
    { length: Math.ceil(50 * scale) },
    (_, size) => (size === 0 ? 1 : 2) * noiseProbability('discrete-laplace', scale, size),
  );

const sampler = (law: readonly number[], uniform: () => number) => (): number => {
  let rest = uniform();
  const size = law.findIndex((chance) => {
    rest -= chance;
    return rest < 0;
  });
  return Math.max(0, size);
};
