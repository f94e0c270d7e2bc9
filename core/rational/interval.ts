import {
  add,
  bitLength,
  ceilingOf,
  compare,
  divide,
  multiply,
  ONE,
  type Rational,
  rational,
  subtract,
  ZERO,
} from './rational.ts';

/** A real number somewhere between lower and upper, both included. */
export type Interval = { readonly lower: Rational; readonly upper: Rational };

/** Largest |x| of which expBounds takes the exponential: beyond it the bounds alone would have 100,000 bits. */
const MAX_EXPONENT = rational(65536n);
/** Bits beyond those asked for, which take up the errors of the series (see interval.proof.md). */
const GUARD = 16;

/** A number m/2^j at most x, nearer to it than 2^(2−bits)·|x|; m has at most `bits` bits (one more below 0). */
export function roundDown(x: Rational, bits: number): Rational {
  if (x.numerator === 0n) return ZERO;
  const magnitude = x.numerator < 0n ? -x.numerator : x.numerator;
  const shift = bits - (bitLength(magnitude) - bitLength(x.denominator)) - 1;
  return shiftRight(floorOfShifted(x, shift), shift);
}

/** A number m/2^j at least x, nearer to it than 2^(2−bits)·|x|; m has at most `bits` bits (one more above 0). */
export const roundUp = (x: Rational, bits: number): Rational => negate(roundDown(negate(x), bits));

/** The interval widened to bounds of about `bits` bits each, so that numbers stay short. */
export function outward({ lower, upper }: Interval, bits: number): Interval {
  return { lower: roundDown(lower, bits), upper: roundUp(upper, bits) };
}

const negate = (x: Rational): Rational => ({ numerator: -x.numerator, denominator: x.denominator });

/** ⌊x·2^shift⌋. */
function floorOfShifted({ numerator, denominator }: Rational, shift: number): bigint {
  const over = shift >= 0 ? numerator << BigInt(shift) : numerator;
  const under = shift >= 0 ? denominator : denominator << BigInt(-shift);
  return -ceilingOf(-over, under);
}

/** integer/2^shift. */
const shiftRight = (integer: bigint, shift: number): Rational =>
  shift >= 0 ? rational(integer, 1n << BigInt(shift)) : rational(integer << BigInt(-shift));

/** Σ r^n/n! for 0 ≤ r ≤ 1/2, in units of 2^−width: rounded down, and rounded up with the rest of the series. */
function exponentialSeries(r: Rational, width: number): Interval {
  const one = 1n << BigInt(width);
  const below = floorOfShifted(r, width);
  const above = -floorOfShifted(negate(r), width);
  let [lowerTerm, lowerSum, upperTerm, upperSum] = [one, one, one, one];
  for (let n = 1n; upperTerm > 1n; n += 1n) {
    lowerTerm = (lowerTerm * below) / (n * one);
    lowerSum += lowerTerm;
    upperTerm = ceilingOf(upperTerm * above, n * one);
    upperSum += upperTerm;
  }
  return { lower: shiftRight(lowerSum, width), upper: shiftRight(upperSum + upperTerm, width) };
}

/**
 * Bounds on e^x of `bits` bits each, at most 2^(4−bits) apart relative to e^x (0 gives exactly 1). Reduction of the
 * argument by halving, Taylor series, repeated squaring; every step rounds outward. Throws RangeError for |x| > 65536.
 */
export function expBounds(x: Rational, bits: number): Interval {
  if (x.numerator === 0n) return { lower: ONE, upper: ONE };
  if (x.numerator < 0n) {
    const inverse = expBounds(negate(x), bits + 2);
    return outward({ lower: divide(ONE, inverse.upper), upper: divide(ONE, inverse.lower) }, bits);
  }
  if (compare(x, MAX_EXPONENT) > 0) throw new RangeError('exponentials are bounded for arguments up to 65536 only');
  const halvings = Math.max(0, bitLength(x.numerator) - bitLength(x.denominator) + 2);
  const width = bits + halvings + GUARD;
  let { lower, upper } = exponentialSeries(multiply(x, shiftRight(1n, halvings)), width);
  for (let i = 0; i < halvings; i += 1) {
    lower = roundDown(multiply(lower, lower), width);
    upper = roundUp(multiply(upper, upper), width);
  }
  return outward({ lower, upper }, bits);
}

/** Σ z^(2j+1)/(2j+1) = atanh z for 0 ≤ z ≤ 1/3, in units of 2^−width: rounded down, and up with the rest. */
function inverseTangentSeries(z: Rational, width: number): Interval {
  const one = 1n << BigInt(width);
  const below = floorOfShifted(z, width);
  const above = -floorOfShifted(negate(z), width);
  let [lowerPower, lowerSum, upperPower, upperSum] = [below, below, above, above];
  for (let n = 3n; upperPower > 1n; n += 2n) {
    lowerPower = (lowerPower * below * below) / (one * one);
    lowerSum += lowerPower / n;
    upperPower = ceilingOf(upperPower * above * above, one * one);
    upperSum += ceilingOf(upperPower, n);
  }
  return { lower: shiftRight(lowerSum, width), upper: shiftRight(upperSum + upperPower, width) };
}

/** factor·interval. */
function scale({ lower, upper }: Interval, factor: Rational): Interval {
  const [a, b] = [multiply(lower, factor), multiply(upper, factor)];
  return compare(a, b) <= 0 ? { lower: a, upper: b } : { lower: b, upper: a };
}

/** ln m for 2/3 ≤ m ≤ 4/3, as 2·atanh((m−1)/(m+1)). */
function logarithmNearOne(m: Rational, width: number): Interval {
  const z = divide(subtract(m, ONE), add(m, ONE));
  const sign = z.numerator < 0n ? -1n : 1n;
  return scale(inverseTangentSeries(multiply(z, rational(sign)), width), rational(2n * sign));
}

/**
 * Bounds on the natural logarithm of x > 0, of `bits` bits each and at most 2^(4−bits)·max(1, |ln x|) apart (1 gives
 * exactly 0). x is brought to 2^k·m with m from 2/3 to 4/3. Throws RangeError for x ≤ 0.
 */
export function logBounds(x: Rational, bits: number): Interval {
  if (x.numerator <= 0n) throw new RangeError('only a positive number has a logarithm');
  if (compare(x, ONE) === 0) return { lower: ZERO, upper: ZERO };
  let twos = bitLength(x.numerator) - bitLength(x.denominator);
  if (compare(shift(x, twos), rational(4n, 3n)) > 0) twos += 1;
  else if (compare(shift(x, twos), rational(2n, 3n)) < 0) twos -= 1;
  const width = bits + GUARD + bitLength(BigInt(Math.abs(twos) + 1));
  const rest = logarithmNearOne(shift(x, twos), width);
  const power = scale(inverseTangentSeries(rational(1n, 3n), width), rational(2n * BigInt(twos)));
  return outward({ lower: add(power.lower, rest.lower), upper: add(power.upper, rest.upper) }, bits);
}

/** x/2^twos. */
const shift = (x: Rational, twos: number): Rational => multiply(x, shiftRight(1n, twos));

/** Is a number below the limit? They are never equal: it is transcendental, and the limit rational. More bits decide. */
export function isBelowLimit(limit: Rational, boundsOf: (bits: number) => Interval): boolean {
  for (let bits = 128; ; bits *= 2) {
    const { lower, upper } = boundsOf(bits);
    if (compare(upper, limit) <= 0) return true;
    if (compare(lower, limit) > 0) return false;
  }
}
