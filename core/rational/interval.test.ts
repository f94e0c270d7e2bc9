import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expBounds, type Interval, logBounds, outward, roundDown, roundUp } from './interval.ts';
import {
  add,
  bitLength,
  compare,
  multiply,
  ONE,
  parseRational,
  power,
  rational,
  subtract,
  toNumber,
  ZERO,
} from './rational.ts';

const small = fc.tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.bigInt({ min: 10n ** 6n, max: 10n ** 9n }));
const numbers = small.map(([n, d]) => rational(n, d));
const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.bigInt({ min: 1n, max: 10n ** 40n }))
  .map(([n, d]) => rational(n, d));
const bitCounts = fc.integer({ min: 8, max: 300 });

function overlap(a: Interval, b: Interval): boolean {
  return compare(a.lower, b.upper) <= 0 && compare(b.lower, a.upper) <= 0;
}

function width({ lower, upper }: Interval): number {
  return toNumber(subtract(upper, lower));
}

describe('rounding', () => {
  test('goes outward, stays near and gives short numbers', () => {
    fc.assert(
      fc.property(numbers, bitCounts, (x, bits) => {
        const [down, up] = [roundDown(x, bits), roundUp(x, bits)];
        expect(compare(down, x)).toBeLessThanOrEqual(0);
        expect(compare(up, x)).toBeGreaterThanOrEqual(0);
        const size = Math.abs(toNumber(x));
        expect(width({ lower: down, upper: up })).toBeLessThanOrEqual(2 ** (3 - bits) * size);
        // Significant bits: trailing zeros of a large integer do not count.
        const odd = down.numerator / (down.numerator & -down.numerator || 1n);
        if (x.numerator > 0n) expect(bitLength(odd)).toBeLessThanOrEqual(bits);
        expect(down.denominator & (down.denominator - 1n)).toBe(0n);
      }),
    );
  });

  test('leaves short numbers as they are', () => {
    expect(roundDown(rational(5n, 8n), 10)).toEqual(rational(5n, 8n));
    expect(roundUp(rational(-40n), 10)).toEqual(rational(-40n));
    expect(outward({ lower: ZERO, upper: ONE }, 8)).toEqual({ lower: ZERO, upper: ONE });
  });
});

describe('exponential', () => {
  test('encloses known decimals', () => {
    // e, e^-1 and e^(36/5) to 40 digits.
    const known: [string, string][] = [
      ['1', '2.718281828459045235360287471352662497757'],
      ['-1', '0.3678794411714423215955237701614608674458'],
      ['10', '22026.46579480671651695790064528424436635'],
    ];
    for (const [x, digits] of known) {
      const { lower, upper } = expBounds(parseRational(x), 120);
      const value = parseRational(digits);
      const slack = multiply(value, parseRational('1e-38'));
      expect(compare(lower, add(value, slack))).toBe(-1);
      expect(compare(upper, subtract(value, slack))).toBe(1);
      expect(compare(subtract(upper, lower), multiply(value, parseRational('2e-35')))).toBe(-1);
    }
  });

  test('agrees with the floating-point function and is as narrow as stated', () => {
    fc.assert(
      fc.property(numbers, bitCounts, (x, bits) => {
        fc.pre(Math.abs(toNumber(x)) < 700);
        const { lower, upper } = expBounds(x, bits);
        const expected = Math.exp(toNumber(x));
        expect(toNumber(lower)).toBeLessThanOrEqual(expected * (1 + 1e-12));
        expect(toNumber(upper)).toBeGreaterThanOrEqual(expected * (1 - 1e-12));
        expect(width({ lower, upper })).toBeLessThanOrEqual(2 ** (4 - bits) * expected * (1 + 1e-12));
      }),
    );
  });

  test('a sum of exponents is a product, to every precision', () => {
    fc.assert(
      fc.property(numbers, numbers, bitCounts, bitCounts, (x, y, bits, others) => {
        const [a, b] = [expBounds(x, bits), expBounds(y, others)];
        const product = { lower: multiply(a.lower, b.lower), upper: multiply(a.upper, b.upper) };
        expect(overlap(product, expBounds(add(x, y), 200))).toBe(true);
      }),
    );
  });

  test('more bits lie within fewer', () => {
    const [wide, narrow] = [expBounds(rational(-7n, 3n), 40), expBounds(rational(-7n, 3n), 400)];
    expect(compare(wide.lower, narrow.lower)).toBeLessThanOrEqual(0);
    expect(compare(wide.upper, narrow.upper)).toBeGreaterThanOrEqual(0);
    expect(compare(narrow.lower, narrow.upper)).toBe(-1);
  });

  test('holds at the ends of its range', () => {
    expect(expBounds(ZERO, 64)).toEqual({ lower: ONE, upper: ONE });
    const tiny = expBounds(power(rational(10n), -300), 64);
    expect(compare(tiny.lower, ONE)).toBeLessThanOrEqual(0);
    expect(compare(tiny.upper, ONE)).toBe(1);
    expect(expBounds(rational(-65536n), 64).lower.numerator).toBeGreaterThan(0n);
    expect(() => expBounds(rational(65537n), 64)).toThrow(RangeError);
    expect(() => expBounds(rational(-65537n), 64)).toThrow(RangeError);
  });
});

describe('logarithm', () => {
  test('encloses ln 2 and ln 10', () => {
    const known: [string, string][] = [
      ['2', '0.6931471805599453094172321214581765680755'],
      ['10', '2.302585092994045684017991454684364207601'],
      ['1/2', '-0.6931471805599453094172321214581765680755'],
    ];
    for (const [x, digits] of known) {
      const { lower, upper } = logBounds(parseRational(x), 120);
      const slack = parseRational('1e-38');
      expect(compare(lower, add(parseRational(digits), slack))).toBe(-1);
      expect(compare(upper, subtract(parseRational(digits), slack))).toBe(1);
      expect(compare(subtract(upper, lower), parseRational('1e-34'))).toBe(-1);
    }
  });

  test('is the inverse of the exponential', () => {
    fc.assert(
      fc.property(positive, bitCounts, (x, bits) => {
        const { lower, upper } = logBounds(x, bits);
        expect(compare(expBounds(lower, 300).lower, x)).toBeLessThanOrEqual(0);
        expect(compare(expBounds(upper, 300).upper, x)).toBeGreaterThanOrEqual(0);
        const size = Math.max(1, Math.abs(Math.log(toNumber(x))));
        expect(width({ lower, upper })).toBeLessThanOrEqual(2 ** (4 - bits) * size);
      }),
    );
  });

  test('of 1 is exactly 0, and 0 has none', () => {
    expect(logBounds(ONE, 64)).toEqual({ lower: ZERO, upper: ZERO });
    expect(() => logBounds(ZERO, 64)).toThrow(RangeError);
    expect(() => logBounds(rational(-1n), 64)).toThrow(RangeError);
  });
});

test('broken twin: bounds rounded inward are caught', () => {
  // The check of "is the inverse of the exponential", fed with swapped ends.
  const { lower, upper } = logBounds(rational(3n), 40);
  expect(compare(expBounds(upper, 300).lower, rational(3n))).toBe(1);
  expect(compare(expBounds(lower, 300).upper, rational(3n))).toBe(-1);
});
