import { expBounds, type Interval, outward } from '../../core/rational/interval.ts';
import {
  add,
  compare,
  divide,
  multiply,
  ONE,
  type Rational,
  rational,
  subtract,
} from '../../core/rational/rational.ts';

const TWO = rational(2n);

/**
 * Probabilities of N_Z(0, σ²) by its definition, P[X = x] = e^(−x²/(2σ²)) / Σ_n e^(−n²/(2σ²)): of 0, 1, … `reach`, those
 * of −x being the same, and at most how likely |X| > reach is.
 */
export function gaussianLaw(
  variance: Rational,
  reach: number,
  bits: number,
): { magnitudes: Interval[]; outside: Rational } {
  const exponent = divide(rational(-1n), multiply(TWO, variance));
  const weight = (x: number) => expBounds(multiply(rational(BigInt(x) ** 2n), exponent), bits);
  const unit = rational(1n, 1n << BigInt(bits));
  const weights = [weight(0)];
  while (weights.length <= reach + 1 || compare(weights.at(-1)!.upper, unit) > 0) weights.push(weight(weights.length));
  const sum = (from: number, end: 'lower' | 'upper') =>
    weights.slice(from).reduce((all, one) => add(all, one[end]), rational(0n));
  // Each weight that is not listed is at most e^(−1/(2σ²)) times the one before it.
  const ratio = weights[1]!.upper;
  const beyond = multiply(weights.at(-1)!.upper, divide(ratio, subtract(ONE, ratio)));
  const both = (side: Rational) => multiply(TWO, side);
  const least = add(ONE, both(sum(1, 'lower')));
  const most = add(ONE, both(add(sum(1, 'upper'), beyond)));
  return {
    magnitudes: weights
      .slice(0, reach + 1)
      .map(({ lower, upper }) => outward({ lower: divide(lower, most), upper: divide(upper, least) }, bits)),
    outside: outward({ lower: ONE, upper: divide(both(add(sum(reach + 1, 'upper'), beyond)), least) }, bits).upper,
  };
}
