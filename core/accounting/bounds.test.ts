import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, multiply, ONE, parseRational, rational, subtract, toNumber } from '../rational/rational.ts';
import { advancedComposition, advancedEpsilon, leastOfBasicAndAdvanced } from './advanced-composition.ts';
import { basicComposition, sumOfGuarantees } from './basic-composition.ts';
import { commonStep } from './grid.ts';
import { squareRootBounds } from './square-root.ts';
import { renyiDivergence, rhoOfDiscreteLaplace, rhoOfPure } from './zero-concentrated.ts';

const fractions = fc
  .tuple(fc.bigInt({ min: 1n, max: 1n << 90n }), fc.bigInt({ min: 1n, max: 1n << 90n }))
  .map(([a, b]) => rational(a, b));
const percent = fc.integer({ min: 1, max: 500 }).map((n) => rational(BigInt(n), 100n));

describe('square root', () => {
  test('the squares of the bounds enclose the number, and the bounds are near each other', () => {
    fc.assert(
      fc.property(fractions, (x) => {
        const { lower, upper } = squareRootBounds(x, 64);
        expect(compare(multiply(lower, lower), x)).toBeLessThanOrEqual(0);
        expect(compare(multiply(upper, upper), x)).toBe(1);
        expect(toNumber(subtract(upper, lower))).toBeLessThanOrEqual(
          2 ** -63 * Math.min(1, toNumber(upper)) * (1 + 1e-9),
        );
      }),
    );
  });
  test('of 0 and of negative numbers', () => {
    expect(squareRootBounds(rational(0n), 64)).toEqual({ lower: rational(0n), upper: rational(0n) });
    expect(() => squareRootBounds(rational(-1n), 64)).toThrow(RangeError);
  });
});

describe('sums and advanced composition', () => {
  test('equal guarantees add up to K times one', () => {
    const one = { epsilon: parseRational('1/3'), delta: parseRational('1e-7') };
    expect(sumOfGuarantees([one, one, one])).toEqual(basicComposition(one, 3));
  });

  test('bounds enclose, the true mean is the smaller drift, and the least is never above the sum', () => {
    fc.assert(
      fc.property(percent, fc.integer({ min: 1, max: 400 }), (epsilon, releases) => {
        const extra = parseRational('1e-6');
        const one = { epsilon, delta: parseRational('1e-8') };
        const { lower, upper } = advancedEpsilon(epsilon, releases, extra, 'dwork-roth');
        expect(compare(lower, upper)).toBeLessThanOrEqual(0);
        expect(toNumber(subtract(upper, lower))).toBeLessThan(1e-50);
        expect(compare(advancedComposition(one, releases, extra, 'tight').epsilon, upper)).toBeLessThanOrEqual(0);
        const least = leastOfBasicAndAdvanced(one, releases, extra);
        expect(compare(least.epsilon, basicComposition(one, releases).epsilon)).toBeLessThanOrEqual(0);
        expect(compare(least.epsilon, upper)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('an extra δ of 0 or 1 is refused', () => {
    for (const extra of [rational(0n), ONE]) expect(() => advancedEpsilon(ONE, 2, extra, 'tight')).toThrow(RangeError);
  });

  test('broken twin: advanced composition alone can be worse than the sum', () => {
    const one = { epsilon: ONE, delta: parseRational('1e-5') };
    const [basic, advanced] = [basicComposition(one, 14), advancedComposition(one, 14, parseRational('1e-5'))];
    expect(compare(advanced.epsilon, basic.epsilon)).toBe(1);
    expect(leastOfBasicAndAdvanced(one, 14, parseRational('1e-5'))).toEqual(basic);
  });
});

describe('zero-concentrated', () => {
  test('no Rényi divergence is above the order times ρ, and ρ is at most ε²/2', () => {
    fc.assert(
      fc.property(percent, percent, (epsilon, excess) => {
        const order = rational(excess.numerator + excess.denominator, excess.denominator);
        const rho = rhoOfDiscreteLaplace(epsilon);
        expect(compare(rho.upper, rhoOfPure(epsilon))).toBeLessThanOrEqual(0);
        expect(compare(renyiDivergence(epsilon, order).upper, multiply(order, rho.lower))).toBeLessThanOrEqual(0);
      }),
    );
  });
  test('orders of 1 or less are refused', () => expect(() => renyiDivergence(ONE, ONE)).toThrow(RangeError));
});

describe('common step', () => {
  test('is the largest number that goes into all', () => {
    const parts = ['9/5', '3/40', '1/8'].map(parseRational);
    expect(commonStep(parts, rational(8n), 400)).toEqual(rational(1n, 40n));
  });
  test('is a part of ε when that would be too many steps', () => {
    const parts = ['1.8001', '1/8'].map(parseRational);
    expect(commonStep(parts, rational(8n), 400)).toEqual(rational(1n, 50n));
  });
});
