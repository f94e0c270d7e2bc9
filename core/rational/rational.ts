/** An exact rational number in lowest terms; the denominator is positive. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

/** Longest text and largest power of ten that are read: amounts of privacy never need more, and work stays bounded. */
const MAX_TEXT = 400;
const MAX_POWER_OF_TEN = 400;

const FRACTION = /^(-?\d+)\/(\d+)$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Greatest common divisor of a ≥ 0 and b > 0. */
function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  // A power of two, the denominator of every rounded bound: its divisor is the lowest bit that is set in either.
  if ((b & (b - 1n)) === 0n) return (a | b) & -(a | b);
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** numerator/denominator in lowest terms. Throws RangeError when the denominator is 0. */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a rational number has a denominator that is not 0');
  const sign = denominator < 0n ? -1n : 1n;
  const magnitude = numerator < 0n ? -numerator : numerator;
  const divisor = sign * greatestCommonDivisor(magnitude, sign * denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n };
export const ONE: Rational = { numerator: 1n, denominator: 1n };

/**
 * Reads `8`, `36/5`, `0.5` or `1e-6` exactly; a leading minus sign is allowed. Throws RangeError for any other text,
 * for a denominator of 0, and for more than 400 characters or powers of ten beyond ±400.
 */
export function parseRational(text: string): Rational {
  if (text.length > MAX_TEXT) throw new RangeError(`a number is longer than ${MAX_TEXT} characters`);
  const fraction = FRACTION.exec(text);
  if (fraction) return rational(BigInt(fraction[1]!), BigInt(fraction[2]!));
  const decimal = DECIMAL.exec(text);
  if (!decimal) throw new RangeError(`"${text}" is not a number such as 8, 36/5, 0.5 or 1e-6`);
  const [, sign, whole = '', decimals = '', exponent = '0'] = decimal;
  const power = Number(exponent);
  if (Math.abs(power) > MAX_POWER_OF_TEN)
    throw new RangeError(`"${text}" has a power of ten beyond ${MAX_POWER_OF_TEN}`);
  const digits = BigInt(`${sign}${whole}${decimals}`);
  const shift = power - decimals.length;
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift)) : rational(digits, 10n ** BigInt(-shift));
}

/** `8` or `36/5`: the text that contracts call RationalText. */
export const formatRational = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const subtract = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);

export const multiply = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

/** a/b. Throws RangeError when b is 0. */
export const divide = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

/** Negative, 0 or positive as a is less than, equal to or greater than b; fits Array.prototype.sort. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** base^exponent for any integer exponent; 0^0 is 1. Throws RangeError for a negative power of 0 or a fraction. */
export function power(base: Rational, exponent: number): Rational {
  if (!Number.isSafeInteger(exponent)) throw new RangeError('an exponent of a rational number is an integer');
  const size = BigInt(Math.abs(exponent));
  const fraction = { numerator: base.numerator ** size, denominator: base.denominator ** size };
  return exponent >= 0 ? fraction : rational(fraction.denominator, fraction.numerator);
}

/** The greatest number of which a ≥ 0 and b > 0 are both multiples: gcd(ps, rq)/qs of p/q and r/s. */
export const commonMeasure = ({ numerator: p, denominator: q }: Rational, { numerator: r, denominator: s }: Rational) =>
  rational(greatestCommonDivisor(p * s, r * q), q * s);

/** The greatest whole number of which a and b, one of them above 0, are both multiples. */
export const commonWhole = (a: number, b: number): number => (b === 0 ? a : commonWhole(b, a % b));

/** ⌈a/b⌉ for b > 0. */
export const ceilingOf = (a: bigint, b: bigint): bigint => (a > 0n ? (a + b - 1n) / b : a / b);

/** ⌊x⌋. */
export const floorOf = ({ numerator, denominator }: Rational): bigint => -ceilingOf(-numerator, denominator);

/** Number of bits of a positive integer. */
export function bitLength(positive: bigint): number {
  const text = positive.toString(16);
  return 4 * (text.length - 1) + (32 - Math.clz32(Number.parseInt(text[0]!, 16)));
}

/**
 * The nearest floating-point number (ties to even), however long numerator and denominator are; for display and for
 * statistics, never for a decision about noise. Subnormal results may be off by one unit in the last place.
 */
export function toNumber({ numerator, denominator }: Rational): number {
  if (numerator === 0n) return 0;
  const magnitude = numerator < 0n ? -numerator : numerator;
  const shift = 66 - (bitLength(magnitude) - bitLength(denominator));
  const [over, under] =
    shift >= 0 ? [magnitude << BigInt(shift), denominator] : [magnitude, denominator << BigInt(-shift)];
  // 66 or 67 bits; the last one is set when anything is left over, so that conversion sees no false tie.
  const quotient = Number((over / under) | (over % under === 0n ? 0n : 1n));
  const half = Math.trunc(-shift / 2);
  const nearest = quotient * 2 ** half * 2 ** (-shift - half);
  return numerator < 0n ? -nearest : nearest;
}
