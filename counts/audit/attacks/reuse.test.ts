import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import type { DeclaredNoise, EqualPair } from '../../../core/statistics/pair-laws.ts';
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
