import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noiseProbability, noiseTail } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { multipleChance, roundingTest } from './rounding.ts';

/** P[Y is a multiple | Y is published], summed. */
function chanceOf({ model, scale, threshold }: DeclaredNoise, truth: number, base: number): number {
  const least = threshold ?? truth - Math.ceil(60 * scale);
  let sum = 0;
  for (let y = least; y <= Math.max(truth, least) + 60 * scale + base; y += 1)
    if (y % base === 0) sum += noiseProbability(model, scale, y - truth);
  return sum / noiseTail(model, scale, least - truth);
}

describe('multiples of a base among published counts', () => {
  test('no truth gives a greater chance than is supposed, and some truths one near it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('discrete-laplace', 'rounded-laplace'),
        fc.double({ min: 0.2, max: 12, noNaN: true }),
        fc.option(fc.integer({ min: 2, max: 40 })),
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom(2, 3, 5),
        (model, scale, threshold, truth, base) => {
          const noise: DeclaredNoise = { model, scale, threshold };
          expect(chanceOf(noise, truth, base)).toBeLessThanOrEqual(multipleChance(noise, base).value + 1e-9);
        },
      ),
    );
    const noise: DeclaredNoise = { model: 'discrete-laplace', scale: 1.25, threshold: 20 };
    expect(chanceOf(noise, 3, 5)).toBeGreaterThan(0.85 * multipleChance(noise, 5).value);
    const { value, complement } = multipleChance(noise, 5);
    expect(value + complement).toBe(1);
  });

  test('sixty counts that are all multiples of 5 are found, and broken twin: not those of which half are', () => {
    const noise: DeclaredNoise = { model: 'discrete-laplace', scale: 1.25, threshold: 20 };
    const all = Float64Array.from({ length: 60 }, (_, n) => 25 + 5 * n);
    expect(roundingTest([{ noise, counts: all }])).toBeLessThan(1e-9);
    expect(roundingTest([{ noise, counts: all.map((count, n) => count + (n % 2)) }])).toBe(1);
    expect(roundingTest([{ noise, counts: new Float64Array() }])).toBe(1);
  });
});
