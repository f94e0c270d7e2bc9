import { computeOnce } from '../../../core/memory/function-cache.ts';
import { expBounds, type Interval } from '../../../core/rational/interval.ts';
import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  ZERO,
} from '../../../core/rational/rational.ts';

/** Rows of probabilities, one for each passenger count from 0. */
export type ExactTable = readonly (readonly Rational[])[];

/** The largest δ of a table, exactly: whole − factor·e^ε. */
export type ExactDelta = {
  readonly whole: Rational;
  readonly factor: Rational;
  /** Counts of the pair of rows where it is attained: the data, and the neighbour that makes the output less likely. */
  readonly row: number;
  readonly neighbour: number;
};

/** Bits with which e^ε is bounded first; they double until they decide. */
const FIRST_BITS = 128;

/** Bounds on e^ε to `bits` bits, kept for one table. */
type Growth = (bits: number) => Interval;

/**
 * The largest δ of a table at ε ≥ 0 between counts that differ by 1 to `group` passengers, and where: the maximum over
 * both orders of such rows of Σ_c max(0, P[row][c] − e^ε·P[neighbour][c]). All rows have as many categories; they need
 * not add up to 1. Of several pairs it is the first. Proof: exact-delta.proof.md. Cost: O(rows · group · categories)
 * products.
 *
 * @contract exact-profile-delta
 */
export function largestDelta(table: ExactTable, epsilon: Rational, group = 1): ExactDelta {
  const growth = growthOf(epsilon);
  let largest: ExactDelta | null = null;
  for (const [row, neighbour] of neighbours(table.length, group)) {
    const delta = { ...pairDelta(table[row]!, table[neighbour]!, growth), row, neighbour };
    if (largest === null || sign(difference(delta, largest), growth) > 0) largest = delta;
  }
  return largest ?? { whole: ZERO, factor: ZERO, row: 0, neighbour: 0 };
}

/** Is the exact δ at ε at most this one? */
export const isAtMost = ({ whole, factor }: Pick<ExactDelta, 'whole' | 'factor'>, delta: Rational, epsilon: Rational) =>
  sign({ whole: subtract(whole, delta), factor }, growthOf(epsilon)) <= 0;

/** Bounds on the exact δ at ε, computed with e^ε to `bits` bits. */
export function deltaBounds({ whole, factor }: ExactDelta, epsilon: Rational, bits: number): Interval {
  const { lower, upper } = expBounds(epsilon, bits);
  const at = (growth: Rational) => subtract(whole, multiply(factor, growth));
  const low = at(upper);
  return { lower: compare(low, ZERO) < 0 ? ZERO : low, upper: at(lower) };
}

/** Ordered pairs of rows whose counts differ by 1 to `group`. */
function* neighbours(rows: number, group: number): Generator<[row: number, neighbour: number]> {
  for (let row = 0; row < rows; row += 1) {
    for (let apart = 1; apart <= group && row + apart < rows; apart += 1) {
      yield [row, row + apart];
      yield [row + apart, row];
    }
  }
}

type Difference = Pick<ExactDelta, 'whole' | 'factor'>;

/** Σ_c max(0, P[c] − e^ε·Q[c]) of two rows. */
function pairDelta(row: readonly Rational[], neighbour: readonly Rational[], growth: Growth): Difference {
  let sum: Difference = { whole: ZERO, factor: ZERO };
  row.forEach((whole, category) => {
    const factor = neighbour[category]!;
    if (sign({ whole, factor }, growth) > 0) sum = { whole: add(sum.whole, whole), factor: add(sum.factor, factor) };
  });
  return sum;
}

const difference = (a: Difference, b: Difference): Difference => ({
  whole: subtract(a.whole, b.whole),
  factor: subtract(a.factor, b.factor),
});

/** The sign of whole − factor·e^ε: that of whole/factor − e^ε, which is not 0 unless ε is. */
function sign({ whole, factor }: Difference, growth: Growth): number {
  if (factor.numerator === 0n) return compare(whole, ZERO);
  const ratio = divide(whole, factor);
  const factorSign = factor.numerator > 0n ? 1 : -1;
  for (let bits = FIRST_BITS; ; bits *= 2) {
    const { lower, upper } = growth(bits);
    if (compare(ratio, upper) > 0) return factorSign;
    if (compare(ratio, lower) < 0) return -factorSign;
    if (compare(lower, upper) === 0) return 0;
  }
}

const growthOf = (epsilon: Rational): Growth => computeOnce((bits: number) => expBounds(epsilon, bits));

/** Rows as shares of their sum, which is positive. */
export const normalise = (table: ExactTable): ExactTable =>
  table.map((row) => {
    const sum = row.reduce(add, ZERO);
    return row.map((probability) => divide(probability, sum));
  });

/** Integer weights as probabilities: weight/2^bits. */
export function weightProbabilities(weights: readonly (readonly bigint[])[], bits: number): ExactTable {
  const whole = 1n << BigInt(bits);
  return weights.map((row) => row.map((weight) => rational(weight, whole)));
}
