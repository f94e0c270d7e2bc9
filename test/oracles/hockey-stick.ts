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
  ZERO,
} from '../../core/rational/rational.ts';
import { gaussianLaw } from './discrete-gaussian-law.ts';

/**
 * Exact hockey-stick divergence of small joint laws, by enumeration: the definition itself, to hold certificates
 * against. Outcomes of one count with a constant likelihood ratio are one atom, so that a finite sum is exact.
 */

/** A set of outcomes of one released count with its probability under either neighbour. */
export type Atom = { p: Interval; q: Interval };

/** Every outcome of one released count; the counts of a release are independent. */
export type ReleasedCount = Atom[];

const EXACT_ZERO: Interval = { lower: ZERO, upper: ZERO };
const EXACT_ONE: Interval = { lower: ONE, upper: ONE };

function product(a: Interval, b: Interval, bits: number): Interval {
  return outward({ lower: multiply(a.lower, b.lower), upper: multiply(a.upper, b.upper) }, bits);
}

function complement({ lower, upper }: Interval): Interval {
  return { lower: subtract(ONE, upper), upper: subtract(ONE, lower) };
}

/** Probabilities of discrete Laplace noise X of rate 1/b. */
function noise(rate: Rational, bits: number) {
  const alpha = expBounds(multiply(rational(-1n), rate), bits);
  const inverse = { lower: divide(ONE, add(ONE, alpha.upper)), upper: divide(ONE, add(ONE, alpha.lower)) };
  const power = (n: number) => expBounds(multiply(rational(-BigInt(n)), rate), bits);
  return {
    /** P[X = x] */
    equals: (x: number) => product(product(complement(alpha), inverse, bits), power(Math.abs(x)), bits),
    /** P[X ≥ x] */
    atLeast: (x: number) =>
      x >= 0 ? product(power(x), inverse, bits) : complement(product(power(1 - x), inverse, bits)),
    /** P[X < x], as a tail where it is one. */
    below: (x: number) =>
      x <= 0 ? product(power(1 - x), inverse, bits) : complement(product(power(x), inverse, bits)),
  };
}

/** A cell of the stability histogram: count c under one neighbour, d under the other; published iff at least T. */
export function stabilityCell(c: number, d: number, threshold: number, rate: Rational, bits: number): ReleasedCount {
  // All outcomes up to the smaller count have one likelihood ratio, the suppressed among them: one atom.
  if (Math.min(c, d) >= threshold) return noisyCount(c, d, rate, bits);
  const { equals, atLeast, below } = noise(rate, bits);
  const top = Math.max(c, d, threshold);
  const law = (count: number): Interval[] => {
    const published = Array.from({ length: top - threshold }, (_, i) => threshold + i - count);
    // An empty cell is never released: everything but "suppressed" is impossible.
    if (count === 0) return [EXACT_ONE, EXACT_ZERO, ...published.map(() => EXACT_ZERO)];
    return [below(threshold - count), atLeast(top - count), ...published.map(equals)];
  };
  const [p, q] = [law(c), law(d)];
  return p.map((value, i) => ({ p: value, q: q[i]! }));
}

/** A count that is always released with noise: a cell of a complete domain, a margin, or a cell far above T. */
export function noisyCount(c: number, d: number, rate: Rational, bits: number): ReleasedCount {
  const { equals, atLeast, below } = noise(rate, bits);
  const [low, high] = [Math.min(c, d), Math.max(c, d)];
  if (low === high) return [{ p: EXACT_ONE, q: EXACT_ONE }];
  const between = Array.from({ length: high - low - 1 }, (_, i) => low + 1 + i);
  const law = (count: number): Interval[] => [
    below(low + 1 - count),
    atLeast(high - count),
    ...between.map((y) => equals(y - count)),
  ];
  const [p, q] = [law(c), law(d)];
  return p.map((value, i) => ({ p: value, q: q[i]! }));
}

/**
 * A count that is always released with noise of N_Z(0, σ²). Noise beyond the reach is one outcome that is impossible
 * under the other neighbour, so that only the upper bound has it.
 */
export function gaussianCount(c: number, d: number, variance: Rational, reach: number, bits: number): ReleasedCount {
  const by = Math.abs(c - d);
  const { magnitudes, outside } = gaussianLaw(variance, reach + by, bits);
  const within = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const tail = magnitudes.slice(reach + 1).reduce((sum, { upper }) => add(sum, multiply(rational(2n), upper)), outside);
  return [
    ...within.map((x) => ({ p: magnitudes[Math.abs(x)]!, q: magnitudes[Math.abs(x + c - d)]! })),
    { p: { lower: ZERO, upper: tail }, q: EXACT_ZERO },
  ];
}

/** The same counts with the neighbours exchanged. */
export function exchanged(counts: readonly ReleasedCount[]): ReleasedCount[] {
  return counts.map((atoms) => atoms.map(({ p, q }) => ({ p: q, q: p })));
}

/** Bounds on Σ_o max(0, P(o) − e^ε·Q(o)) over all joint outcomes of the counts. */
export function hockeyStick(counts: readonly ReleasedCount[], epsilon: Rational, bits: number): Interval {
  const factor = expBounds(epsilon, bits);
  let [lower, upper] = [ZERO, ZERO];
  const visit = (index: number, p: Interval, q: Interval): void => {
    const atoms = counts[index];
    if (atoms !== undefined) {
      for (const atom of atoms) {
        if (atom.p.upper.numerator === 0n) continue;
        visit(index + 1, product(p, atom.p, bits), product(q, atom.q, bits));
      }
      return;
    }
    const least = subtract(p.lower, multiply(factor.upper, q.upper));
    const most = subtract(p.upper, multiply(factor.lower, q.lower));
    if (compare(least, ZERO) > 0) lower = add(lower, least);
    if (compare(most, ZERO) > 0) upper = add(upper, most);
  };
  visit(0, EXACT_ONE, EXACT_ONE);
  return outward({ lower, upper }, bits);
}
