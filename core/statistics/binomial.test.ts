import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  atLeast,
  atMost,
  binomialProbability,
  binomialTest,
  fromLogOdds,
  type Proportion,
  proportion,
} from './binomial.ts';

/** Exact P[K ≥ k] for the chance numerator/1000, by whole numbers. */
function exactAtLeast(k: number, trials: number, numerator: number): number {
  let [choose, sum] = [1n, 0n];
  const [yes, no] = [BigInt(numerator), BigInt(1000 - numerator)];
  for (let j = 0; j <= trials; j += 1) {
    if (j >= k) sum += choose * yes ** BigInt(j) * no ** BigInt(trials - j);
    choose = (choose * BigInt(trials - j)) / BigInt(j + 1);
  }
  const digits = `${(sum * 10n ** 400n) / 1000n ** BigInt(trials)}`;
  return Number(`0.${digits.slice(0, 20)}e${digits.length - 400}`);
}

const chances = fc.integer({ min: 1, max: 999 });

describe('binomial tails', () => {
  test('are the exact ones to a relative 1e-12, however small', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.nat(121), chances, (trials, k, numerator) => {
        fc.pre(k <= trials);
        const exact = exactAtLeast(k, trials, numerator);
        expect(Math.abs(atLeast(k, trials, proportion(numerator / 1000)) - exact)).toBeLessThanOrEqual(1e-12 * exact);
      }),
    );
  });

  test('of a million trials add up to 1', () => {
    const chance = proportion(0.3);
    const whole = atMost(299_000, 1_000_000, chance) + atLeast(299_001, 1_000_000, chance);
    expect(Math.abs(whole - 1)).toBeLessThan(1e-11);
    expect(atLeast(1, 1_000_000, fromLogOdds(-40)) / (1e6 * Math.exp(-40))).toBeCloseTo(1, 8);
  });

  test('at the ends', () => {
    expect(binomialProbability(3, 3, { value: 1, complement: 0 })).toBe(1);
    expect(binomialProbability(1, 3, { value: 0, complement: 1 })).toBe(0);
    expect(atLeast(0, 5, proportion(0.5))).toBe(1);
    expect(atLeast(6, 5, proportion(0.5))).toBe(0);
    expect(binomialTest(0, 0, proportion(0.5), 'either')).toBe(1);
  });
});

/** The greatest P[p ≤ u] − u over all u that the test can give, by enumeration. */
function excess(test: (k: number) => number, trials: number, chance: Proportion): number {
  const outcomes = Array.from({ length: trials + 1 }, (_, k) => ({
    p: test(k),
    weight: binomialProbability(k, trials, chance),
  }));
  return Math.max(
    ...outcomes.map(({ p: u }) => outcomes.filter(({ p }) => p <= u).reduce((sum, { weight }) => sum + weight, 0) - u),
  );
}

describe('the binomial test', () => {
  test('is valid: P[p ≤ u] ≤ u, by enumeration', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        chances,
        fc.constantFrom('greater' as const, 'less' as const, 'either' as const),
        (trials, numerator, alternative) => {
          const chance = proportion(numerator / 1000);
          expect(excess((k) => binomialTest(k, trials, chance, alternative), trials, chance)).toBeLessThan(1e-12);
        },
      ),
    );
  });

  test('broken twin: P[K > k] in place of P[K ≥ k] is no valid p-value', () => {
    const chance = proportion(0.4);
    expect(excess((k) => atLeast(k + 1, 20, chance), 20, chance)).toBeGreaterThan(0.1);
  });
});
