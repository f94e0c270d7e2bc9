import { type Interval, logBounds, outward } from '../../core/rational/interval.ts';
import {
  add,
  divide,
  floorOf,
  multiply,
  ONE,
  power,
  type Rational,
  rational,
  subtract,
} from '../../core/rational/rational.ts';

/**
 * The algorithm of the 2017 release, with ideal real Laplace noise (Asghar, Tyler, Kaafar 2018, Algorithm 1): a count
 * with noise c + L is published, rounded, iff c + L ≥ t. Each share of ε that is named (cells, time, location) has its
 * own table for tap-ons and for tap-offs, with noise of scale b = D1/ε_share; δ is split evenly over all tables.
 */

/** Bounds on the threshold t = b·ln(2/δ_j) + 1 of a table with δ_j < 2 (paper: 2·ln(2/δ_j)/ε_j + 1 with b = 2/ε_j). */
export function realThreshold(scale: Rational, tableDelta: Rational, bits: number): Interval {
  const logarithm = logBounds(divide(rational(2n), tableDelta), bits);
  return outward(
    { lower: add(multiply(scale, logarithm.lower), ONE), upper: add(multiply(scale, logarithm.upper), ONE) },
    bits,
  );
}

/** The smallest integer that the table can publish: t rounded half up. t is transcendental, so more bits decide. */
export function smallestPublished(scale: Rational, tableDelta: Rational): number {
  const half = rational(1n, 2n);
  for (let bits = 128; ; bits *= 2) {
    const { lower, upper } = realThreshold(scale, tableDelta, bits);
    const integer = floorOf(add(lower, half));
    if (integer === floorOf(add(upper, half))) return Number(integer);
  }
}

/**
 * The tight δ of a unit that is counted once in each of `tables` tables: each publishes its lone cell with probability
 * ½·e^(−(t−1)/b) = δ_j/4 exactly (the paper's bound is δ_j/2).
 */
export const sbhDelta = (tableDelta: Rational, tables: number): Rational =>
  subtract(ONE, power(subtract(ONE, divide(tableDelta, rational(4n))), tables));
