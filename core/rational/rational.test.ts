import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  ONE,
  parseRational,
  power,
  type Rational,
  rational,
  subtract,
  toNumber,
  ZERO,
} from './rational.ts';

const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });
const numbers = fc.tuple(integer, positive).map(([n, d]) => rational(n, d));

function isReduced({ numerator, denominator }: Rational): boolean {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return denominator > 0n && a === 1n;
}

describe('parse and format', () => {
  test.each([
    ['8', '8'],
    ['36/5', '36/5'],
    ['72/10', '36/5'],
    ['0.5', '1/2'],
    ['1e-6', '1/1000000'],
    ['2.5E+3', '2500'],
    ['-0.75', '-3/4'],
    ['-0', '0'],
    ['007', '7'],
  ])('%s is %s', (text, expected) => {
    expect(formatRational(parseRational(text))).toBe(expected);
  });

  test.each(['', ' 8', '8 ', '.5', '5.', '1/0', '1/-2', '0x10', '1e', '1e999', '٣', 'NaN', '1/2/3', '9'.repeat(401)])(
    'refuses %j',
    (text) => {
      expect(() => parseRational(text)).toThrow(RangeError);
    },
  );

  test('what is formatted is read back', () => {
    fc.assert(fc.property(numbers, (a) => compare(parseRational(formatRational(a)), a) === 0));
  });
});

describe('arithmetic', () => {
  test('is a field with lowest terms', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, c) => {
        expect(subtract(add(a, b), b)).toEqual(a);
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)));
        expect(add(a, ZERO)).toEqual(a);
        expect(multiply(a, ONE)).toEqual(a);
        if (b.numerator !== 0n) expect(multiply(divide(a, b), b)).toEqual(a);
        expect([add(a, b), subtract(a, b), multiply(a, b)].every(isReduced)).toBe(true);
      }),
    );
  });

  test('order agrees with the sign of the difference', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const { numerator } = subtract(a, b);
        expect(compare(a, b)).toBe(numerator === 0n ? 0 : numerator < 0n ? -1 : 1);
      }),
    );
  });

  test('powers add up', () => {
    const small = fc.integer({ min: -6, max: 6 });
    fc.assert(
      fc.property(numbers, small, small, (a, m, n) => {
        fc.pre(a.numerator !== 0n);
        expect(multiply(power(a, m), power(a, n))).toEqual(power(a, m + n));
        expect(isReduced(power(a, m))).toBe(true);
      }),
    );
    expect(power(ZERO, 0)).toEqual(ONE);
    expect(() => power(ZERO, -1)).toThrow(RangeError);
    expect(() => power(ONE, 0.5)).toThrow(RangeError);
  });

  test('division by 0 is refused', () => {
    expect(() => divide(ONE, ZERO)).toThrow(RangeError);
  });
});

describe('toNumber', () => {
  test('gives back every floating-point number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(Math.abs(value) > 1e-300);
        const [mantissa, exponent] = value.toExponential(20).split('e');
        // 21 digits identify a double, so that the nearest number to that decimal is the number itself.
        expect(toNumber(parseRational(`${mantissa}e${exponent}`))).toBe(value);
      }),
    );
  });

  test('rounds ties to even and keeps huge terms apart', () => {
    expect(toNumber(rational(2n ** 53n + 1n))).toBe(2 ** 53);
    expect(toNumber(rational(2n ** 200n * (2n ** 53n + 1n) + 1n))).toBe(2 ** 200 * (2 ** 53 + 2));
    expect(toNumber(rational(3n * 10n ** 900n, 10n ** 900n + 1n))).toBe(3);
    expect(toNumber(rational(1n, 2n ** 1074n))).toBe(2 ** -1074);
    expect(toNumber(rational(-1n, 3n))).toBe(-1 / 3);
  });
});
