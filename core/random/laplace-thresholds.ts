import { computeOnce } from '../memory/function-cache.ts';
import { productDown, productUp, unitsDown, unitsUp } from '../rational/fixed-point.ts';
import { expBounds } from '../rational/interval.ts';
import { ceilingOf, type Rational, rational } from '../rational/rational.ts';
import type { FixedBounds, Thresholds } from './threshold-table.ts';

/** Working bits beyond those asked for: they absorb the rounding of the powers. */
const GUARD_BITS = 64;

/**
 * The thresholds of discrete Laplace noise of a scale b, with α = e^(−1/b): threshold 2m − 2 is 2α^m/(1+α) = P[|X| ≥ m],
 * threshold 2m − 1 is α^m, m = 1, 2, 3 … (laplace-thresholds.proof.md). Tails are stored as tails, so small probabilities
 * lose no digits.
 */
export function laplaceThresholds(scale: Rational): Thresholds {
  const alpha = computeOnce((bits: number) => alphaBounds(scale, bits));
  return (index, bits) => {
    const width = bits + GUARD_BITS;
    const shift = BigInt(width);
    const base = alpha(width);
    const power = boundPower(base, (index >> 1) + 1, shift);
    const one = 1n << shift;
    const { lower, upper } =
      index % 2 === 1
        ? power
        : {
            lower: ((2n * power.lower) << shift) / (one + base.upper),
            upper: ceilingOf((2n * power.upper) << shift, one + base.lower),
          };
    return { lower: lower >> BigInt(GUARD_BITS), upper: -(-upper >> BigInt(GUARD_BITS)) };
  };
}

/** Bounds of base^exponent, exponent ≥ 1, by repeated squaring; every product is rounded outward. */
function boundPower(base: FixedBounds, exponent: number, bits: bigint): FixedBounds {
  let result: FixedBounds | null = null;
  let square = base;
  for (let rest = exponent; ; square = boundProduct(square, square, bits)) {
    if (rest & 1) result = result === null ? square : boundProduct(result, square, bits);
    rest >>= 1;
    if (rest === 0) return result!;
  }
}

const boundProduct = (a: FixedBounds, b: FixedBounds, bits: bigint): FixedBounds => ({
  lower: productDown(a.lower, b.lower, bits),
  upper: productUp(a.upper, b.upper, bits),
});

/** α = e^(−1/scale). */
function alphaBounds({ numerator, denominator }: Rational, bits: number): FixedBounds {
  const { lower, upper } = expBounds(rational(-denominator, numerator), bits);
  return { lower: unitsDown(lower, BigInt(bits)), upper: unitsUp(upper, BigInt(bits)) };
}
