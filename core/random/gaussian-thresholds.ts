import { computeOnce } from '../memory/function-cache.ts';
import { unitsDown } from '../rational/fixed-point.ts';
import { expBounds } from '../rational/interval.ts';
import { divide, type Rational, rational, subtract, ZERO } from '../rational/rational.ts';
import type { FixedBounds, Thresholds } from './threshold-table.ts';

/** Working bits beyond those asked for: they absorb the rounding of the products. */
const GUARD_BITS = 64;
/** Bits come in multiples of this, so that few laws are laid out. */
const BITS_AT_A_TIME = 64;

/**
 * The weights e^(−x²/(2σ²)) for x = 0, 1, 2, … in units of 2^−bits, rounded down and up, until one is below a unit.
 * `beyond` is at least the sum of all from there on.
 */
export type GaussianWeights = {
  readonly down: readonly bigint[];
  readonly up: readonly bigint[];
  readonly beyond: bigint;
};

/**
 * The weights of N_Z(0, σ²), by w(x+1) = w(x)·q^(2x+1), q = e^(−1/(2σ²)), every product rounded outward
 * (gaussian-thresholds.proof.md). Cost: about σ·√(1.4·bits) products.
 */
export function gaussianWeights(variance: Rational, bits: number): GaussianWeights {
  const shift = BigInt(bits);
  const one = 1n << shift;
  const q = boundDecay(divide(rational(1n, 2n), variance), bits);
  const square = boundProduct(q, q, shift);
  const [down, up]: bigint[][] = [[], []];
  let [weight, ratio]: FixedBounds[] = [{ lower: one, upper: one }, q];
  for (
    ;
    weight!.lower > 0n;
    weight = boundProduct(weight!, ratio!, shift), ratio = boundProduct(ratio!, square, shift)
  ) {
    down!.push(weight!.lower);
    up!.push(weight!.upper);
  }
  return { down: down!, up: up!, beyond: (weight!.upper << shift) / (one - ratio!.upper) + 1n };
}

/** e^(−x) in units of 2^−bits, for x ≥ 0. */
export function boundDecay(x: Rational, bits: number): FixedBounds {
  const { lower, upper } = expBounds(subtract(ZERO, x), bits);
  const shift = BigInt(bits);
  return { lower: unitsDown(lower, shift), upper: unitsDown(upper, shift) + 1n };
}

export function boundProduct(a: FixedBounds, b: FixedBounds, shift: bigint): FixedBounds {
  return { lower: (a.lower * b.lower) >> shift, upper: ((a.upper * b.upper) >> shift) + 1n };
}

/** Sums of weights from each on; the whole, that of both signs. */
type Law = { down: readonly bigint[]; up: readonly bigint[]; beyond: bigint; whole: FixedBounds };

/** The thresholds of N_Z(0, σ²), σ² from 1/65536 to 4096². */
export function gaussianThresholds(variance: Rational): Thresholds {
  const lawOf = computeOnce((bits: number) => tailsOf(gaussianWeights(variance, bits)));
  return (index, bits) => {
    const width = Math.ceil(bits / BITS_AT_A_TIME) * BITS_AT_A_TIME + GUARD_BITS;
    const { down, up, beyond, whole } = lawOf(width);
    const m = (index >> 1) + 1;
    const next = m + (index % 2);
    const [least, most] = [(down[m] ?? 0n) + (down[next] ?? 0n), (up[m] ?? beyond) + (up[next] ?? beyond)];
    const shift = BigInt(bits);
    return { lower: (least << shift) / whole.upper, upper: (most << shift) / whole.lower + 1n };
  };
}

function tailsOf({ down: leastWeights, up: mostWeights, beyond }: GaussianWeights): Law {
  const [down, up] = [[...leastWeights], [...mostWeights]];
  up[up.length - 1]! += beyond;
  for (let x = down.length - 2; x >= 0; x--) {
    down[x]! += down[x + 1]!;
    up[x]! += up[x + 1]!;
  }
  const [one, least, most] = [down[0]! - (down[1] ?? 0n), down[1] ?? 0n, up[1] ?? beyond];
  return { down, up, beyond, whole: { lower: one + 2n * least, upper: one + 2n * most } };
}
