import type { Tap } from '../tables/tap-tables.ts';
import type { Noise } from './noise.ts';

/**
 * Exact number of taps of one end in a partition that the bound of a card leaves out and the clamp counts: at least 0.
 * Custodian side only.
 */
export type LeftOutCount = readonly [tap: Tap, count: number];

/** Largest number of left-out taps of a partition: sums of counts and noise stay exact far below 2^53. */
const LARGEST_COUNT = 2 ** 48;

/**
 * The left-out taps of each end that is published, with noise, 0 included, in the order of `taps`. Throws TypeError,
 * without saying where, when a count is no whole number from 0 to 2^48, or one of no published end or of one that comes
 * twice: a mistake of the program that counted.
 *
 * @contract C2
 * @contract C8
 */
export function noisyLeftOut(
  counts: readonly LeftOutCount[],
  taps: readonly Tap[],
  noise: Pick<Noise, 'leftOut'>,
): Float64Array {
  const exact = new Map(counts);
  if (exact.size !== counts.length || counts.some(([tap]) => !taps.includes(tap)))
    throw new TypeError('left-out taps are of no published end, or counted twice');
  const draws = new Int32Array(taps.length);
  noise.leftOut(draws);
  return Float64Array.from(taps, (tap, at) => requireCount(exact.get(tap) ?? 0) + draws[at]!);
}

function requireCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0 && count <= LARGEST_COUNT) return count;
  throw new TypeError('a number of left-out taps is no whole number in range');
}
