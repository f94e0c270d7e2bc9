import { compare, multiply, ONE, type Rational, rational } from '../rational/rational.ts';

/** All tests of one release together raise a false alarm in at most one of 10,000 honest releases. */
export const FAMILYWISE_LEVEL: Rational = rational(1n, 10_000n);

/** Level of one test when 40 share FAMILYWISE_LEVEL equally: what numbers of samples are planned for. */
export const TEST_LEVEL = 2.5e-6;

/**
 * Holm's step-down procedure (1979): the chance that any true hypothesis is rejected is at most `level`, whatever the
 * dependence between the tests, provided that each p-value is valid. Exact. Of adjusted p-values, in the order given: a
 * test is rejected at a level iff its adjusted p-value is at most it.
 */
export function holm(pValues: readonly Rational[], level: Rational) {
  const order = pValues.map((_, index) => index).sort((a, b) => compare(pValues[a]!, pValues[b]!));
  const adjusted = [...pValues];
  let greatest = rational(0n);
  order.forEach((index, rank) => {
    const product = multiply(pValues[index]!, rational(BigInt(pValues.length - rank)));
    greatest = maximum(greatest, compare(product, ONE) > 0 ? ONE : product);
    adjusted[index] = greatest;
  });
  return { adjusted, rejected: adjusted.map((value) => compare(value, level) <= 0) };
}

const maximum = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);

/** The exact value of a finite floating-point number. Throws RangeError for NaN and infinities. */
export function exactRational(value: number): Rational {
  if (!Number.isFinite(value)) throw new RangeError('only a finite number is a rational number');
  let [mantissa, twos] = [value, 0];
  while (!Number.isInteger(mantissa)) [mantissa, twos] = [mantissa * 2, twos + 1];
  return rational(BigInt(mantissa), 1n << BigInt(twos));
}
