import { describe, expect, test } from 'vitest';
import { chiSquareTail, fisherCombination } from './fisher.ts';

/** Every combination of `tests` p-values that are uniform on 1/steps, 2/steps, …, 1: valid, and as small as can be. */
function combinations(tests: number, steps: number): number[][] {
  if (tests === 0) return [[]];
  return combinations(tests - 1, steps).flatMap((rest) =>
    Array.from({ length: steps }, (_, step) => [...rest, (step + 1) / steps]),
  );
}

const excess = (combine: (pValues: number[]) => number, tests: number, steps: number): number => {
  const results = combinations(tests, steps)
    .map(combine)
    .sort((a, b) => a - b);
  return Math.max(...results.map((u, index) => (index + 1) / results.length - u));
};

describe('Fisher’s combination', () => {
  test('is valid: P[p ≤ u] ≤ u over all combinations of uniform p-values', () => {
    expect(excess(fisherCombination, 1, 50)).toBeLessThan(1e-12);
    expect(excess(fisherCombination, 2, 30)).toBeLessThan(1e-12);
    expect(excess(fisherCombination, 3, 12)).toBeLessThan(1e-12);
  });

  test('broken twins: the smallest p-value, and too few degrees of freedom, are not', () => {
    expect(excess((pValues) => Math.min(...pValues), 3, 12)).toBeGreaterThan(0.1);
    const tooFew = (pValues: number[]): number =>
      chiSquareTail(
        pValues.reduce((sum, p) => sum - 2 * Math.log(p), 0),
        2,
      );
    expect(excess(tooFew, 3, 12)).toBeGreaterThan(0.1);
  });

  test('of one p-value is that p-value, of none 1, and 0 stays 0', () => {
    expect(fisherCombination([0.037])).toBeCloseTo(0.037, 12);
    expect(fisherCombination([])).toBe(1);
    expect(fisherCombination([0.5, 0])).toBe(0);
  });
});
