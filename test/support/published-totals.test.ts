import { describe, expect, test } from 'vitest';
import {
  absoluteNoise,
  type CountFrequency,
  largestNoise,
  type NoiseLaw,
  publishedSum,
  suppressedMass,
} from './published-totals.ts';

const LAW: NoiseLaw = { scale: 0.5, threshold: 9 };
const FEW: CountFrequency[] = [1, 3, 8, 9, 10, 40].map((count) => ({ count, cells: 3 }));

/** P[Σ = s] of independent cells, by convolution. */
function lawOfSum(cells: readonly CountFrequency[], { scale, threshold }: NoiseLaw, suppressed: boolean) {
  const alpha = Math.exp(-1 / scale);
  let law = new Map([[0, 1]]);
  for (const { count, cells: frequency } of cells) {
    for (let cell = 0; cell < frequency; cell++) {
      const next = new Map<number, number>();
      for (const [sum, probability] of law) {
        for (let noise = -20; noise <= 20; noise++) {
          const shown = count + noise >= threshold;
          const value = sum + (suppressed ? (shown ? 0 : count) : shown ? count + noise : 0);
          const chance = probability * ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(noise);
          next.set(value, (next.get(value) ?? 0) + chance);
        }
      }
      law = next;
    }
  }
  return [...law];
}

describe('the interval of a published total', () => {
  test.each([
    ['published', publishedSum, false],
    ['suppressed', suppressedMass, true],
  ] as const)('holds the %s sum with the stated error rate, by exact enumeration', (_, intervalOf, suppressed) => {
    const law = lawOfSum(FEW, LAW, suppressed);
    const mean = law.reduce((sum, [value, chance]) => sum + value * chance, 0);
    for (const errorRate of [0.1, 1e-3, 1e-6]) {
      const { expected, lowest, highest } = intervalOf(FEW, LAW, errorRate);
      expect(expected).toBeCloseTo(mean, 9);
      const outside = law.filter(([value]) => value < lowest || value > highest);
      const missed = outside.reduce((sum, [, chance]) => sum + chance, 0);
      expect(missed).toBeLessThanOrEqual(errorRate);
      // An interval that holds everything would say nothing.
      expect(missed).toBeGreaterThan(errorRate / 1000);
    }
  });

  test('catches a threshold that is off by one, and counts that are half a tap low', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ count: index + 1, cells: 1000 }));
    const { expected, lowest, highest } = publishedSum(many, LAW, 1e-9);
    const shown = many.reduce((sum, { count, cells }) => sum + (count >= LAW.threshold ? cells : 0), 0);
    const twins = [
      publishedSum(many, { ...LAW, threshold: 10 }, 1e-9).expected,
      publishedSum(many, { ...LAW, threshold: 8 }, 1e-9).expected,
      expected - shown / 2,
    ];
    for (const twin of twins) expect(twin < lowest || twin > highest).toBe(true);
  });

  test('the interval of absolute noise catches a scale that is a tenth too small', () => {
    const { lowest, highest } = absoluteNoise(10_000, LAW, 1e-9);
    const twin = absoluteNoise(10_000, { ...LAW, scale: 0.45 }, 1e-9).expected;
    expect(twin < lowest || twin > highest).toBe(true);
  });

  test('the largest noise of many cells is the smallest that keeps the error rate', () => {
    const tail = (noise: number) => (1e6 * 2 * Math.exp(-2 * (noise + 1))) / (1 + Math.exp(-2));
    const noise = largestNoise(1e6, LAW, 1e-9);
    expect(tail(noise)).toBeLessThanOrEqual(1e-9);
    expect(tail(noise - 1)).toBeGreaterThan(1e-9);
  });
});
