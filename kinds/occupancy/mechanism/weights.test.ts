import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRational } from '../../../core/rational/rational.ts';
import { categoryAt } from './sampler.ts';
import { casesOf } from './vehicle-models.fixture.ts';
import { largestRemainder, WEIGHT_BITS, weightsOf } from './weights.ts';

describe('integer weights', () => {
  test.each(casesOf('integer-weights'))('%s', (_, { in: given, out }) => {
    const exact = given.probabilities.map(parseRational);
    const common = exact.reduce((product, { denominator }) => product * denominator, 1n);
    const shares = exact.map(({ numerator, denominator }) => (numerator * common) / denominator);
    const weights = largestRemainder(shares, given.K);
    expect(weights.map(String)).toEqual(out.weights);
    for (const [number, category] of out.samples) expect(categoryAt(weights, BigInt(number))).toBe(category);
  });

  test('add up to a power of two, are less than a unit off, and 0 stays 0', () => {
    const anyShares = fc
      .array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 1, maxLength: 6 })
      .filter((shares) => shares.some((share) => share > 0n));
    fc.assert(
      fc.property(anyShares, fc.integer({ min: 1, max: 12 }), (shares, bits) => {
        const weights = largestRemainder(shares, bits);
        const [sum, whole] = [shares.reduce((a, b) => a + b), 1n << BigInt(bits)];
        expect(weights.reduce((a, b) => a + b)).toBe(whole);
        shares.forEach((share, place) => {
          const off = weights[place]! * sum - share * whole;
          expect(off < sum && off > -sum).toBe(true);
          if (share === 0n) expect(weights[place]).toBe(0n);
        });
      }),
    );
  });

  test('of a table in floating point count an error below 0 as 0', () => {
    expect(weightsOf([[0.5, 0.5, -1e-12]])).toEqual([
      [1n << BigInt(WEIGHT_BITS - 1), 1n << BigInt(WEIGHT_BITS - 1), 0n],
    ]);
  });
});
