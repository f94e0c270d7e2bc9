import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalDown, decimalUp, encloseInDecimals, truncate } from './decimal.ts';
import { expBounds } from './interval.ts';
import { compare, multiply, parseRational, rational, subtract, ZERO } from './rational.ts';

const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 60n }), fc.bigInt({ min: 1n, max: 10n ** 60n }))
  .map(([n, d]) => rational(n, d));

describe('decimals of 20 digits', () => {
  test.each([
    ['0', '0'],
    ['1', '1'],
    ['1/8', '0.125'],
    ['1e-6', '0.000001'],
    ['1.25e-7', '1.25e-7'],
    ['2e-30', '2e-30'],
    ['123456789', '123456789'],
    ['1e20', '100000000000000000000'],
    ['1e21', '1e+21'],
  ])('%s is exact', (text, expected) => {
    expect(decimalDown(parseRational(text))).toBe(expected);
    expect(decimalUp(parseRational(text))).toBe(expected);
  });

  test('thirds are rounded apart', () => {
    expect(decimalDown(rational(2n, 3n))).toBe('0.66666666666666666666');
    expect(decimalUp(rational(2n, 3n))).toBe('0.66666666666666666667');
    expect(decimalUp(parseRational('0.999999999999999999999'))).toBe('1');
    expect(decimalDown(parseRational('0.999999999999999999999'))).toBe('0.99999999999999999999');
  });

  test('are outward and near', () => {
    fc.assert(
      fc.property(positive, (x) => {
        const [down, up] = [parseRational(decimalDown(x)), parseRational(decimalUp(x))];
        expect(compare(down, x)).toBeLessThanOrEqual(0);
        expect(compare(up, x)).toBeGreaterThanOrEqual(0);
        expect(compare(subtract(up, down), multiply(x, parseRational('1e-19')))).toBeLessThanOrEqual(0);
        expect(truncate(x)).toEqual(down);
      }),
    );
  });

  test('negative numbers are refused', () => {
    expect(() => decimalUp(rational(-1n))).toThrow(RangeError);
  });
});

describe('enclosing decimals', () => {
  test('e lies between neighbours in the last digit', () => {
    expect(encloseInDecimals((bits) => expBounds(rational(1n), bits))).toEqual({
      lower: '2.7182818284590452353',
      upper: '2.7182818284590452354',
    });
  });

  test('an exact number encloses itself', () => {
    expect(encloseInDecimals(() => ({ lower: ZERO, upper: ZERO }))).toEqual({ lower: '0', upper: '0' });
  });

  test('do not depend on the width of the first bounds', () => {
    const x = rational(-9n, 5n);
    const exact = encloseInDecimals((bits) => expBounds(x, bits));
    expect(encloseInDecimals((bits) => expBounds(x, Math.floor(bits / 8)))).toEqual(exact);
  });
});
