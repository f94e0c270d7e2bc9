import { convolution } from '../../core/accounting/convolution.ts';
import type { Interval } from '../../core/rational/interval.ts';
import { rational } from '../../core/rational/rational.ts';
import type { NoiseOfCell, NoiseTable } from './cell-noise.ts';

/** Taps of one unit in each time bin of an hour and place where nobody else is; at least two bins. */
export type HourPattern = readonly number[];

/** Extra bits for what is lost in powers and convolutions. */
const GUARD_BITS = 64;

/** P[Z = lowest + i]·2^bits, rounded down and up; what is below `lowest` is left out. */
type Law = { lowest: number; down: bigint[]; up: bigint[] };

/**
 * The law of an hour row of a unit that is alone there: S is the sum of the noisy counts c_i + X_i of the bins that are
 * below the floor F (those that reach it are cells of their own), X_i the noise of a cell. Gives bounds
 * on P[S ≥ sum] for any sum from F on, by convolution of the laws of the bins (C8). Of each law only what can add up to F
 * is needed: no bin gives more than F − 1 (hour-law.proof.md).
 *
 * Every c_i is below F. Cost: O(n) products of integers of n·F·bits bits for n bins.
 */
export function hourTails(
  pattern: HourPattern,
  floor: number,
  noise: NoiseOfCell,
  bits: number,
): (sum: number) => Interval {
  const places = bits + GUARD_BITS;
  const table = noise.table(floor * pattern.length + floor, places);
  const laws = pattern.map((count) => lawOfBin(count, floor, floor - (pattern.length - 1) * (floor - 1), table));
  const { lowest, down, up } = laws.reduce((sum, law, index) =>
    convolve(sum, law, floor - (pattern.length - 1 - index) * (floor - 1), places),
  );
  const [least, most] = [suffixSums(down), suffixSums(up)];
  const unit = 1n << BigInt(places);
  return (sum) => ({
    lower: rational(least[sum - lowest] ?? 0n, unit),
    upper: rational(most[sum - lowest] ?? 0n, unit),
  });
}

/** The law of what one bin adds: its noisy count when that is below the floor, and else 0. */
function lawOfBin(count: number, floor: number, from: number, { down, up }: ReturnType<NoiseOfCell['table']>): Law {
  const lowest = Math.min(from, 0);
  const side = ({ chance, tail }: NoiseTable): bigint[] => {
    const law = Array.from({ length: floor - lowest }, (_, i) => chance(Math.abs(lowest + i - count)));
    law[-lowest]! += tail(floor - count);
    return law;
  };
  return { lowest, down: side(down), up: side(up) };
}

/** The law of the sum of two, from `from` on. */
function convolve(a: Law, b: Law, from: number, places: number): Law {
  const first = a.lowest + b.lowest;
  const cut = Math.max(0, Math.min(from, 0) - first);
  const side = (x: readonly bigint[], y: readonly bigint[], carry: bigint): bigint[] =>
    convolution(x, y)
      .slice(cut)
      .map((value) => (value >> BigInt(places)) + carry);
  return { lowest: first + cut, down: side(a.down, b.down, 0n), up: side(a.up, b.up, 1n) };
}

function suffixSums(values: readonly bigint[]): bigint[] {
  const sums = [...values];
  for (let i = sums.length - 2; i >= 0; i--) sums[i]! += sums[i + 1]!;
  return sums;
}
