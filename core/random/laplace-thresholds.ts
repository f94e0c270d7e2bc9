import { expBounds } from '../rational/interval.ts';
import { type Rational, rational } from '../rational/rational.ts';
import type { FixedBounds, Thresholds } from './threshold-table.ts';

/** Working bits beyond those asked for: they absorb the rounding of the powers. */
const GUARD_BITS = 64;

/**
 * The thresholds of discrete Laplace noise of a scale b, with α = e^(−1/b): threshold 2m − 2 is 2α^m/(1+α) = P[|X| ≥ m],
 * threshold 2m − 1 is α^m, m = 1, 2, 3 … (laplace-thresholds.proof.md). Tails are stored as tails, so small probabilities
 * lose no digits.
 */
export function laplaceThresholds(scale: Rational): Thresholds {
  const alphas = new Map<number, FixedBounds>();

  function alpha(bits: number): FixedBounds {
    const known = alphas.get(bits);
    if (known) return known;
    const bounds = alphaBounds(scale, bits);
    alphas.set(bits, bounds);
    return bounds;
  }

  return (index, bits) => {
    const working = bits + GUARD_BITS;
    const base = alpha(working);
    const power = fixedPower(base, (index >> 1) + 1, working);
    if (index % 2 === 1) return narrow(power, GUARD_BITS);
    const one = 1n << BigInt(working);
    return narrow(
      {
        lower: (power.lower << BigInt(working + 1)) / (one + base.upper),
        upper: ceilingDivide(power.upper << BigInt(working + 1), one + base.lower),
      },
      GUARD_BITS,
    );
  };
}

/** Bounds of base^exponent, exponent ≥ 1, by repeated squaring; every product is rounded outward. */
function fixedPower(base: FixedBounds, exponent: number, bits: number): FixedBounds {
  let result: FixedBounds | null = null;
  let square = base;
  for (let rest = exponent; ; square = fixedProduct(square, square, bits)) {
    if (rest & 1) result = result === null ? square : fixedProduct(result, square, bits);
    rest >>= 1;
    if (rest === 0) return result!;
  }
}

function fixedProduct(a: FixedBounds, b: FixedBounds, bits: number): FixedBounds {
  return narrow({ lower: a.lower * b.lower, upper: a.upper * b.upper }, bits);
}

/** Drops so many of the last bits, outward. */
function narrow({ lower, upper }: FixedBounds, bits: number): FixedBounds {
  const shift = BigInt(bits);
  return { lower: lower >> shift, upper: -(-upper >> shift) };
}

const ceilingDivide = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** α = e^(−1/scale). */
function alphaBounds({ numerator, denominator }: Rational, bits: number): FixedBounds {
  const { lower, upper } = expBounds(rational(-denominator, numerator), bits);
  const shift = BigInt(bits);
  return {
    lower: (lower.numerator << shift) / lower.denominator,
    upper: ceilingDivide(upper.numerator << shift, upper.denominator),
  };
}
