import { compare, type Rational, rational } from '../../../core/rational/rational.ts';
import {
  type ExactDelta,
  type ExactTable,
  isAtMost,
  largestDelta,
  normalise,
  weightProbabilities,
} from './exact-delta.ts';
import { sumError } from './profile-csv.ts';
import { largestRemainder, type WeightTable } from './weights.ts';

/** Bits of the weights from which anyone's profile is sampled; those of our own profiles fit exactly. */
const SAMPLED_BITS = 53;

/**
 * The exact largest δ of anyone's profile at ε ≥ 0 between counts that differ by 1 to `group`, and whether it is at
 * most δ. A printed table need not add up to 1, and what is drawn from it is integers: neither may be worse than what
 * is claimed. So there are three: as it is written, with rows that add up to 1, and as it is drawn from.
 */
export function checkProfile(table: ExactTable, epsilon: Rational, delta: Rational, group: number) {
  const law = weightProbabilities(weighTable(table), SAMPLED_BITS);
  const deltaOf = (each: ExactTable): ExactDelta => largestDelta(each, epsilon, group);
  const deltas = { given: deltaOf(table), normalised: deltaOf(normalise(table)), sampled: deltaOf(law) };
  return {
    ...deltas,
    /** How far the sum of a row is from 1 at most. */
    largestSumError: table.map(sumError).reduce((a, b) => (compare(a, b) >= 0 ? a : b)),
    /** Are all three at most the δ that was asked about? */
    holds: Object.values(deltas).every((each) => isAtMost(each, delta, epsilon)),
  };
}

/** Integer weights of anyone's profile, which add up to 2^53 in each row. */
export const weighTable = (table: ExactTable): WeightTable => table.map(weighRow);

function weighRow(row: readonly Rational[]): bigint[] {
  const denominator = row.reduce((product, { denominator: each }) => leastCommonMultiple(product, each), 1n);
  return largestRemainder(
    row.map(({ numerator, denominator: each }) => numerator * (denominator / each)),
    SAMPLED_BITS,
  );
}

/** a/b in lowest terms has the denominator b/gcd. */
const leastCommonMultiple = (a: bigint, b: bigint): bigint => a * rational(a, b).denominator;
