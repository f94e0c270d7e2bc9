import { decimalUp } from './decimal.ts';
import {
  ceilingOf,
  compare,
  divide,
  multiply,
  parseRational,
  power,
  type Rational,
  rational,
  toNumber,
  ZERO,
} from './rational.ts';

/** An exact amount (`36/5`, `1/1000000`) as people read it: `7.2`, `1e-6`. JSON output keeps the exact text. */
export function amountText(exact: string): string {
  const number = toNumber(parseRational(exact));
  if (number === 0 || number >= 0.001) return String(Number(number.toPrecision(6)));
  return Number(number.toPrecision(4)).toExponential();
}

const TEN = rational(10n);
/** Significant digits of figures in sentences. */
const DIGITS = 4;

/** x ≥ 0 with four digits, rounded up, so that "at most" is true. */
export function upperText(x: Rational): string {
  if (x.numerator === 0n) return '0';
  const scale = power(TEN, DIGITS - 1 - Math.floor(Math.log10(toNumber(x))));
  const mantissa = multiply(x, scale);
  return decimalUp(multiply(rational(ceilingOf(mantissa.numerator, mantissa.denominator)), power(scale, -1)));
}

/** The part of a cap that is spent, 0 or more; anything over a cap of 0 is all of it. */
export function capShare(amount: string, cap: string): number {
  const [over, under] = [parseRational(amount), parseRational(cap)];
  if (compare(under, ZERO) > 0) return toNumber(divide(over, under));
  return compare(over, ZERO) > 0 ? 1 : 0;
}
