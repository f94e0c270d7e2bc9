import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { logDifferenceProbability } from '../../../core/statistics/difference-law.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { NOISE_MODELS, type NoiseModel } from '../../../core/statistics/noise-law.ts';
import {
  clearMean,
  type DeclaredNoise,
  differenceSizes,
  type EqualPair,
  isClear,
} from '../../../core/statistics/pair-laws.ts';
import { logSumBound } from '../../../core/statistics/sum-test.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { checkScale, estimateScale, scaleTest, standardError } from './scale.ts';

type Case = { id: string; in: { differences: number[] }; out: Record<NoiseModel, { b: string; loglik: string }> };
const cases = vectors.cases.filter(({ kind }) => kind === 'scale-mle') as unknown as Case[];
const distance = (value: number, exact: string): number => Math.abs(value / Number(exact) - 1);

/** Natural log-likelihood of a scale, given differences of pairs of equal truth. */
const logLikelihood = (model: NoiseModel, scale: number, differences: readonly number[]): number =>
  differences.reduce((sum, d) => sum + logDifferenceProbability(model, scale, Math.abs(d)), 0);

describe('the scale of greatest likelihood', () => {
  test('there are 2 vectors', () => expect(cases).toHaveLength(2));

  test.each(cases)('$id', ({ in: { differences }, out }) => {
    for (const model of Object.keys(out) as NoiseModel[]) {
      const scale = estimateScale(model, differences);
      expect(distance(scale, out[model].b)).toBeLessThan(1e-9);
      expect(distance(logLikelihood(model, scale, differences), out[model].loglik)).toBeLessThan(1e-9);
    }
  });

  test('no other scale is likelier', () => {
    const source = seededSource(3);
    const noise = discreteLaplace(parseRational('3/2'), source);
    for (let run = 0; run < 40; run += 1) {
      const differences = Array.from({ length: 1 + (run % 7) }, () => noise.draw() - noise.draw());
      for (const model of NOISE_MODELS) {
        const scale = estimateScale(model, differences);
        if (scale === 0) continue;
        const best = logLikelihood(model, scale, differences);
        for (let other = 0.02; other < 60; other *= 1.1)
          expect(logLikelihood(model, other, differences)).toBeLessThanOrEqual(best + 1e-9);
      }
    }
  });

  test('is 0 when all pairs are equal, and none is found without pairs', () => {
    expect(estimateScale('discrete-laplace', [0, 0, 0])).toBe(0);
    expect(() => estimateScale('discrete-laplace', [])).toThrow(RangeError);
  });

  test('standard errors at b = 1 are 0.878, 0.902 and 0.819 over √n', () => {
    expect(standardError('real-laplace', 1, 100)).toBeCloseTo(0.0878, 4);
    expect(standardError('rounded-laplace', 1, 100)).toBeCloseTo(0.0902, 4);
    expect(standardError('discrete-laplace', 1, 100)).toBeCloseTo(0.0819, 4);
  });
});

const DECLARED: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 18 };

/** Published pairs of these truths: both ends get noise of their own, and small counts are suppressed. */
function publishedPairs(truths: readonly number[], draw: () => number): EqualPair[] {
  return truths.map((truth): EqualPair => [truth + draw(), truth + draw()]).filter((pair) => Math.min(...pair) >= 18);
}

/** Truths around the threshold and around the mean from which pairs count, where the choice of pairs matters most. */
const AWKWARD = Array.from({ length: 120 }, (_, index) => 14 + (index % 20));
const ORDINARY = Array.from({ length: 2000 }, (_, index) => 20 + (index % 80));

// 300 runs: more than 5 % of them at p ≤ 0.05, plus four standard errors, has a chance under 1e-4.
describe('the scale test', () => {
  const honest = discreteLaplace(parseRational('1'), seededSource(17));

  test('is super-uniform at 0.05 and 0.01, whatever the truths', () => {
    const pValues = Array.from({ length: 300 }, () =>
      scaleTest(
        DECLARED,
        publishedPairs(AWKWARD, () => honest.draw()),
      ),
    );
    for (const level of [0.05, 0.01]) {
      const allowed = 300 * level + 4 * Math.sqrt(300 * level * (1 - level));
      expect(pValues.filter((p) => p <= level).length).toBeLessThanOrEqual(allowed);
    }
  });

  test('broken twin: without regard to suppression, honest pairs near the threshold look like less noise', () => {
    const truths = Array<number>(4000).fill(17);
    const pairs = publishedPairs(truths, () => honest.draw());
    const sum = pairs.reduce((total, [first, second]) => total + Math.abs(first - second), 0);
    expect(Math.exp(logSumBound(differenceSizes(DECLARED), { n: pairs.length, sum }, 'small', 0.5))).toBeLessThan(
      TEST_LEVEL,
    );
    expect(scaleTest(DECLARED, pairs)).toBeGreaterThan(0.05);
  });

  test('estimates only from pairs that are clear of the threshold', () => {
    expect(clearMean(DECLARED)).toBe(26.5);
    const pairs: EqualPair[] = [
      [18, 18],
      [40, 41],
      [50, 48],
    ];
    expect(pairs.filter((pair) => isClear(DECLARED, pair))).toHaveLength(2);
    expect(checkScale(DECLARED, pairs, TEST_LEVEL).statistic).toBeCloseTo(1.04009816453, 9);
  });
});

// Each honest run fails with a chance of at most 2.5e-6; each mutant is missed in at most 1 of 1,000.
describe('the scale check', () => {
  const run = (scale: string, seed: number) => {
    const noise = discreteLaplace(parseRational(scale), seededSource(seed));
    return checkScale(
      DECLARED,
      publishedPairs(ORDINARY, () => noise.draw()),
      TEST_LEVEL,
    );
  };

  test('passes honest noise and recovers its scale', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const check = run('1', seed);
      expect(check.verdict).toBe('pass');
      expect(check.interval![0]).toBeLessThan(1);
      expect(check.interval![1]).toBeGreaterThan(1);
    }
  });

  test.each(['1/2', '4/5', '5/4', '2'])('broken twin: noise of scale %s that is declared as 1 fails', (scale) => {
    for (let seed = 0; seed < 20; seed += 1) expect(run(scale, seed).verdict).toBe('fail');
  });

  test('broken twin: no noise at all fails', () => {
    expect(
      checkScale(
        DECLARED,
        publishedPairs(ORDINARY, () => 0),
        TEST_LEVEL,
      ),
    ).toMatchObject({ verdict: 'fail', statistic: 0 });
  });

  test('without pairs says so', () => {
    expect(checkScale(DECLARED, [[18, 19]], TEST_LEVEL)).toMatchObject({ verdict: 'not-tried', pValue: null });
  });
});
