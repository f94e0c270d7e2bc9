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
import type { Pattern } from './l1-change.ts';

/**
 * Stability histogram with discrete Laplace noise: the law of what it takes to certify δ. Formulas and proofs in
 * tight-delta.proof.md. `rate` is 1/b = ε_cells/D1, so that α = e^(−rate).
 */

/** Bounds on P[c + X ≥ T] = α^(T−c)/(1+α), for integers 0 ≤ c < T. Throws RangeError for c ≥ T. */
export function publicationProbability(count: number, threshold: number, rate: Rational, bits: number): Interval {
  if (count >= threshold) throw new RangeError('a publication probability is that of a count below the threshold');
  const power = expBounds(multiply(rational(BigInt(count) - BigInt(threshold)), rate), bits);
  const alpha = expBounds(multiply(rational(-1n), rate), bits);
  const bounds = {
    lower: divide(power.lower, add(ONE, alpha.upper)),
    upper: divide(power.upper, add(ONE, alpha.lower)),
  };
  return outward(bounds, bits);
}

/** Probability that one of two independent events happens, p + q(1−p): it increases in both, and nothing cancels. */
function either(p: Interval, q: Interval, bits: number): Interval {
  const lower = add(p.lower, multiply(q.lower, subtract(ONE, p.lower)));
  const upper = add(p.upper, multiply(q.upper, subtract(ONE, p.upper)));
  return outward({ lower, upper }, bits);
}

/** Bounds on 1−(1−p)^n: the probability that one of n ≥ 1 independent events of probability p happens. */
function anyOf(p: Interval, n: number, bits: number): Interval {
  if (n === 1) return p;
  const half = anyOf(p, Math.floor(n / 2), bits);
  const double = either(half, half, bits);
  return n % 2 === 0 ? double : either(double, p, bits);
}

/** Bounds on the probability that a cell of the pattern is published, and so gives the unit away. */
const patternDelta = ({ cells, taps }: Pattern, threshold: number, rate: Rational, bits: number): Interval =>
  anyOf(publicationProbability(taps, threshold, rate, bits), cells, bits);

const larger = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);

/** Bounds on the larger of two numbers. */
export const largerOf = (a: Interval, b: Interval): Interval => ({
  lower: larger(a.lower, b.lower),
  upper: larger(a.upper, b.upper),
});

/** Bounds on the tight δ at ε: the maximum over the patterns, each with fewer taps in a cell than the threshold. */
export const tightDelta = (patterns: readonly Pattern[], threshold: number, rate: Rational, bits: number): Interval =>
  patterns.map((pattern) => patternDelta(pattern, threshold, rate, bits)).reduce(largerOf);

/** The pattern at which δ is attained. No two patterns tie, so that more bits always decide. */
export function worstPattern(patterns: readonly Pattern[], threshold: number, rate: Rational): Pattern {
  for (let bits = 128; ; bits *= 2) {
    const { lower } = tightDelta(patterns, threshold, rate, bits);
    const possible = patterns.filter(
      (pattern) => compare(patternDelta(pattern, threshold, rate, bits).upper, lower) >= 0,
    );
    if (possible.length === 1) return possible[0]!;
  }
}
