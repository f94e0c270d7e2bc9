import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { clearMean, type DeclaredNoise, type EqualPair, equalityChance } from '../../../core/statistics/pair-laws.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { checkReuse, equalCounts } from './reuse.ts';

const NOISE: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 18 };

/** Two published versions of cells with these truths; a share of the second ones has the noise of the first. */
function versions(truths: readonly number[], seed: number, shared: number): EqualPair[] {
  const source = seededSource(seed);
  const noise = discreteLaplace(rational(1n), source);
  return truths
    .map((truth): EqualPair => {
      const first = truth + noise.draw();
      return [first, source.uint32() / 2 ** 32 < shared ? first : truth + noise.draw()];
    })
    .filter((pair) => Math.min(...pair) >= 18);
}

const AWKWARD = Array.from({ length: 200 }, (_, index) => 24 + (index % 6));
const ORDINARY = Array.from({ length: 600 }, (_, index) => 20 + (index % 60));

describe('the reuse check', () => {
  // 600 runs: more than the level of them plus four standard errors has a chance under 1e-4.
  test('is super-uniform at 0.05 and 0.01 even for truths around the limit', () => {
    const pValues = Array.from(
      { length: 600 },
      (_, seed) => checkReuse(NOISE, versions(AWKWARD, seed, 0), TEST_LEVEL).pValue!,
    );
    for (const level of [0.05, 0.01])
      expect(pValues.filter((p) => p <= level).length).toBeLessThanOrEqual(
        600 * level + 4 * Math.sqrt(600 * level * (1 - level)),
      );
  });

  // An honest run fails with a chance of at most 2.5e-6, a broken one is missed in at most 1 of 1,000.
  test('passes versions with noise of their own', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const check = checkReuse(NOISE, versions(ORDINARY, seed, 0), TEST_LEVEL);
      expect(check.verdict).toBe('pass');
      expect(check.statistic).toBeLessThan(check.bound! + 0.1);
    }
  });

  test.each([1, 0.5])('broken twin: versions that share %d of their noise fail', (shared) => {
    for (let seed = 0; seed < 50; seed += 1)
      expect(checkReuse(NOISE, versions(ORDINARY, seed, shared), TEST_LEVEL).verdict).toBe('fail');
  });

  test('without pairs says so, and counts only clear ones', () => {
    expect(checkReuse(NOISE, [[18, 18]], TEST_LEVEL)).toMatchObject({ verdict: 'not-tried', pValue: null });
    expect(
      equalCounts(NOISE, [
        [18, 18],
        [40, 40],
        [41, 44],
      ]),
    ).toMatchObject({ equal: 1, pairs: 2 });
  });
});

/** P[both counts are equal | both are published and their mean is clear of the threshold], by enumeration. */
function chanceOfEqual({ model, scale, threshold }: DeclaredNoise, first: number, second: number): number {
  const reach = Math.ceil(40 * scale);
  const least = clearMean({ model, scale, threshold });
  let [equal, clear] = [0, 0];
  for (let x = -reach; x <= reach; x += 1)
    for (let y = -reach; y <= reach; y += 1) {
      const [a, b] = [first + x, second + y];
      if (a < threshold! || b < threshold! || (a + b) / 2 < least) continue;
      const weight = noiseProbability(model, scale, x) * noiseProbability(model, scale, y);
      clear += weight;
      if (a === b) equal += weight;
    }
  return equal / clear;
}

// Nothing is random here.
test.each([0.3, 5 / 9, 1.25, 3])('a truth that changed makes equal counts no more frequent (scale %f)', (scale) => {
  const noise: DeclaredNoise = { model: 'discrete-laplace', scale, threshold: 18 };
  const chance = equalityChance(noise, clearMean(noise));
  const limit = Math.round(clearMean(noise));
  for (const first of [limit - 3, limit - 1, limit, limit + 1, limit + 9])
    for (const apart of [0, 1, 2, 3, 8])
      expect(chanceOfEqual(noise, first, first + apart)).toBeLessThanOrEqual(chance + 1e-12);
});
