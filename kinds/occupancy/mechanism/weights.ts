import type { ProbabilityTable } from './objective.ts';

/**
 * Weights of a row add up to 2^40: a weight is a probability that floating point and 40 decimals hold exactly, and a unit
 * of it, 9e-13, is far below any δ that is worth asking for.
 */
export const WEIGHT_BITS = 40;

/** Integer weights, a row for each passenger count, a column for each category; all rows have the same sum. */
export type WeightTable = readonly (readonly bigint[])[];

/** Floating-point numbers up to 1 in these units are integers, up to 2^−52. */
const UNIT = 2 ** 52;

/**
 * Integers that add up to 2^bits and are the shares of a positive sum, each less than one unit off, by the largest
 * remainder; of equal remainders the earlier goes first. A share of 0 stays 0. Proof: weights.proof.md.
 */
export function largestRemainder(shares: readonly bigint[], bits: number): bigint[] {
  const sum = shares.reduce((total, share) => total + share, 0n);
  const whole = 1n << BigInt(bits);
  const weights = shares.map((share) => (share * whole) / sum);
  const deficit = Number(whole - weights.reduce((total, weight) => total + weight, 0n));
  const remainders = shares.map((share, place) => ({ place, remainder: (share * whole) % sum }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1));
  for (const { place } of remainders.slice(0, deficit)) weights[place]! += 1n;
  return weights;
}

/** Weights of WEIGHT_BITS for a table in floating point; negative numbers, which are errors of a solver, count as 0. */
export const weightsOf = (table: ProbabilityTable): bigint[][] =>
  table.map((row) =>
    largestRemainder(
      row.map((probability) => BigInt(Math.round(Math.max(0, probability) * UNIT))),
      WEIGHT_BITS,
    ),
  );
