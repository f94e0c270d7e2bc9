import { add, ceilingOf, divide, floorOf, multiply, type Rational, rational } from '../../core/rational/rational.ts';

/**
 * The integer least-squares fit of r to the residuals x subject to r ≥ 0 and Σr = N: with L the smallest integer for
 * which Σ max(0, x_i − L) ≤ N, r_i = max(0, x_i − L), and the first N − Σr_i keys with x_i ≥ L get one more (C9; the
 * Euclidean projection norm-sub of Wang et al. 2020, rounded by largest remainders). Proof: level-fit.proof.md.
 *
 * Residuals and N are safe integers in taps, N ≥ 0. Throws RangeError otherwise, and when there is no key to take N.
 * Cost: O(n log n).
 *
 * @contract C9
 */
export function levelFit(residuals: readonly number[], total: number) {
  if (!Number.isSafeInteger(total) || total < 0 || !residuals.every(Number.isSafeInteger))
    throw new RangeError('a level fit takes whole numbers, and a total of at least 0');
  if (residuals.length === 0) throw new RangeError('a level fit needs a key');
  const level = smallestLevel(residuals, BigInt(total));
  const above = residuals.map((residual) => BigInt(residual) - level);
  const remainders = above.map((part) => (part > 0n ? Number(part) : 0));
  const extra = Number(BigInt(total) - remainders.reduce((sum, part) => sum + BigInt(part), 0n));
  let rest = extra;
  for (const [place, part] of above.entries()) {
    if (rest === 0) break;
    if (part < 0n) continue;
    remainders[place]! += 1;
    rest -= 1;
  }
  // L, how many of the first keys with a residual of at least L get one more, and r in the order of the keys.
  return { level, missing: extra, remainders };
}

/** Σ max(0, x_i − L) is the largest of (the sum of the k largest) − k·L, so that L is the largest of their roots. */
function smallestLevel(residuals: readonly number[], total: bigint): bigint {
  const order = residuals.map(BigInt).sort((a, b) => (a > b ? -1 : Number(a < b)));
  let sum = -total;
  let level = order[0]! - total;
  for (const [place, residual] of order.entries()) {
    sum += residual;
    const root = ceilingOf(sum, BigInt(place + 1));
    if (root > level) level = root;
  }
  return level;
}

/** What margins of one kind leave of all taps: the sum of the residuals of `members` keys with noise of one variance. */
export type MeasuredSide = { readonly sum: bigint; readonly members: number; readonly variance: Rational };

/**
 * The taps of one (mode, day, tap) that no cell shows: with A and D the sums of the residuals of n times and m
 * locations, G = (A·m·b_location² + D·n·b_time²)/(n·b_time² + m·b_location²), σ² in place of b² for Gaussian noise, each
 * side weighted with the inverse of the variance of its sum, and N = max(H, ⌊G + 1/2⌋) with H the sum of the hour rows,
 * 0 without any (C9). A side that was not measured is null, and G is then the sum of the other.
 *
 * Throws TypeError when no side was measured.
 *
 * @contract C9
 */
export function groupTotal(time: MeasuredSide | null, location: MeasuredSide | null, hourRows: number) {
  const exact = weighSides(time, location);
  // G exactly, and N, the total of the remainders and of the hour rows in taps.
  return { exact, total: Math.max(hourRows, Number(floorOf(add(exact, rational(1n, 2n))))) };
}

function weighSides(time: MeasuredSide | null, location: MeasuredSide | null): Rational {
  if (time && location) {
    const [ofTime, ofLocation] = [varianceOf(time), varianceOf(location)];
    const sum = add(multiply(rational(time.sum), ofLocation), multiply(rational(location.sum), ofTime));
    return divide(sum, add(ofTime, ofLocation));
  }
  const only = time ?? location;
  if (!only) throw new TypeError('a total needs a margin');
  return rational(only.sum);
}

/** Members times b² or σ², the variance of the sum up to a factor: only the ratio of the two sides counts. */
const varianceOf = ({ members, variance }: MeasuredSide): Rational => multiply(rational(BigInt(members)), variance);
