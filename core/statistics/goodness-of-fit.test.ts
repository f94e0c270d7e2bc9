import { describe, expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import { discreteLaplace } from '../random/discrete-laplace.ts';
import { binProbabilities, chiSquare } from '../random/goodness-of-fit.fixture.ts';
import { rational } from '../rational/rational.ts';
import { chiSquareTail } from './fisher.ts';
import { goodnessOfFit } from './goodness-of-fit.ts';

/** All ways to put `total` into `bins`, with their probabilities. */
function outcomes(total: number, chances: readonly number[]): { counts: number[]; weight: number }[] {
  const [chance, ...rest] = chances;
  if (chance === undefined) return total === 0 ? [{ counts: [], weight: 1 }] : [];
  const all: { counts: number[]; weight: number }[] = [];
  // weight holds Π p^k/k!, times total! at the end
  for (let [count, weight] = [0, 1]; count <= total; count += 1, weight *= chance / count)
    for (const other of outcomes(total - count, rest))
      all.push({ counts: [count, ...other.counts], weight: weight * other.weight });
  return all;
}

function excess(test: (counts: number[]) => number, total: number, chances: readonly number[]): number {
  let factorial = 1;
  for (let i = 2; i <= total; i += 1) factorial *= i;
  const results = outcomes(total, chances)
    .map(({ counts, weight }) => ({ p: test(counts), weight: weight * factorial }))
    .sort((a, b) => a.p - b.p);
  let [below, worst] = [0, -1];
  results.forEach(({ p, weight }, index) => {
    below += weight;
    if (results[index + 1]?.p !== p) worst = Math.max(worst, below - p);
  });
  return worst;
}

const SCALE_ONE = binProbabilities(1, 4);

function binned(draws: readonly number[]): number[] {
  const counts = Array<number>(SCALE_ONE.length).fill(0);
  for (const x of draws) counts[Math.max(-4, Math.min(4, x)) + 4]! += 1;
  return counts;
}

describe('goodness of fit', () => {
  test('is valid for small samples: P[p ≤ u] ≤ u, by enumeration', () => {
    for (const chances of [[0.2, 0.3, 0.5], [0.01, 0.04, 0.95], [0.1, 0.2, 0.3, 0.4], binProbabilities(0.5, 2)])
      for (const total of [1, 4, 9])
        expect(excess((counts) => goodnessOfFit(counts, chances), total, chances)).toBeLessThan(1e-12);
  });

  test('broken twin: Pearson’s limit law is not', () => {
    const chances = [0.01, 0.04, 0.95];
    const limit = (counts: number[]): number => chiSquareTail(chiSquare(counts, chances), 2);
    expect(excess(limit, 9, chances)).toBeGreaterThan(0.01);
  });

  // 400 honest samples: an honest one is rejected at 2.5e-6 with a chance of at most 0.001 in all of them together.
  test('passes discrete Laplace noise and catches a Gaussian of the same variance', () => {
    const source = seededSource(5);
    const honest = discreteLaplace(rational(1n), source);
    const uniform = (): number => (source.uint32() + 0.5) / 2 ** 32;
    const gaussian = (): number => {
      const radius = Math.sqrt(-2 * 1.8413 * Math.log(uniform()));
      return Math.round(radius * Math.cos(2 * Math.PI * uniform()));
    };
    const pValues = Array.from({ length: 400 }, () =>
      goodnessOfFit(binned(Array.from({ length: 2000 }, () => honest.draw())), SCALE_ONE),
    );
    expect(Math.min(...pValues)).toBeGreaterThan(2.5e-6);
    // Super-uniform at 0.05, but for four standard errors of 400 runs.
    expect(pValues.filter((p) => p <= 0.05).length).toBeLessThanOrEqual(400 * 0.05 + 4 * Math.sqrt(400 * 0.05 * 0.95));
    for (let run = 0; run < 50; run += 1)
      expect(goodnessOfFit(binned(Array.from({ length: 2000 }, gaussian)), SCALE_ONE)).toBeLessThan(2.5e-6);
  });
});
