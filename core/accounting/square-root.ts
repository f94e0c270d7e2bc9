import type { Interval } from '../rational/interval.ts';
import { bitLength, type Rational, rational } from '../rational/rational.ts';

/** ⌊√n⌋ for n ≥ 0: Newton's iteration from above. */
function integerSquareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(bitLength(n) / 2));
  for (;;) {
    const next = (root + n / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** Bounds on √x for x ≥ 0, at most 2^−bits apart, and relatively at most 2^(1−bits) for every x > 0. */
export function squareRootBounds(x: Rational, bits: number): Interval {
  if (x.numerator < 0n) throw new RangeError('only a number that is not negative has a square root');
  if (x.numerator === 0n) return { lower: x, upper: x };
  const places = BigInt(bits + Math.max(0, bitLength(x.denominator) - bitLength(x.numerator) + 1));
  const scaled = (x.numerator << (2n * places)) / x.denominator;
  const root = integerSquareRoot(scaled);
  const one = 1n << places;
  return { lower: rational(root, one), upper: rational(root + 1n, one) };
}
