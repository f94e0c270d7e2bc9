import type { Interval } from './interval.ts';
import { compare, multiply, parseRational, power, type Rational, rational } from './rational.ts';

/** Significant digits of every decimal string that bounds a real number. */
export const DIGITS = 20;

const TEN = rational(10n);

/** ⌊log10 x⌋ for x > 0. */
function decimalExponent(x: Rational): number {
  const estimate = `${x.numerator}`.length - `${x.denominator}`.length;
  return compare(x, power(TEN, estimate)) < 0 ? estimate - 1 : estimate;
}

/** digits·10^(exponent−19) for 20 digits, in plain notation down to 0.000001 and as `9.7e-7` below or from 1e21 on. */
function decimalText(digits: bigint, exponent: number): string {
  const text = `${digits}`.replace(/0+$/, '');
  if (exponent < -6 || exponent > 20) {
    const mantissa = text.length > 1 ? `${text[0]}.${text.slice(1)}` : text;
    return `${mantissa}e${exponent < 0 ? '' : '+'}${exponent}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${text}`;
  const whole = text.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const decimals = text.slice(exponent + 1);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

function roundDecimal(x: Rational, direction: 'down' | 'up'): string {
  if (x.numerator < 0n) throw new RangeError('bounds are written for numbers that are not negative');
  if (x.numerator === 0n) return '0';
  const exponent = decimalExponent(x);
  const { numerator, denominator } = multiply(x, power(TEN, DIGITS - 1 - exponent));
  const digits = (numerator + (direction === 'up' ? denominator - 1n : 0n)) / denominator;
  return digits === 10n ** BigInt(DIGITS) ? decimalText(digits / 10n, exponent + 1) : decimalText(digits, exponent);
}

/** The largest decimal of 20 significant digits that is at most x ≥ 0. parseRational reads it back. */
export const decimalDown = (x: Rational): string => roundDecimal(x, 'down');

/** The smallest decimal of 20 significant digits that is at least x ≥ 0. */
export const decimalUp = (x: Rational): string => roundDecimal(x, 'up');

/** x ≥ 0 rounded down to 20 significant digits. A real y rounded up to 20 digits is at most x iff y is at most this. */
export const truncate = (x: Rational): Rational => parseRational(decimalDown(x));

/**
 * The two neighbouring decimals of 20 significant digits around a real number, which `bounds` gives to any number of
 * bits. They depend on the number only, not on how it was computed. Ends for a number that `bounds` gives exactly, or
 * that is not a decimal fraction itself.
 */
export function encloseInDecimals(bounds: (bits: number) => Interval): { lower: string; upper: string } {
  for (let bits = 128; ; bits *= 2) {
    const { lower, upper } = bounds(bits);
    const [low, high] = [decimalDown(lower), decimalUp(upper)];
    if (low === decimalDown(upper) && high === decimalUp(lower)) return { lower: low, upper: high };
  }
}
