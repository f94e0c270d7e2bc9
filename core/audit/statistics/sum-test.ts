/** A law of a size 0, 1, 2, …: entry j is P[size = j]. */
export type SizeLaw = readonly number[];

/** Which sums speak against the hypothesis. */
export type Side = 'small' | 'large';

/** Steps of the search for the best exponent: any exponent gives a valid bound, the best one the smallest. */
const STEPS = 60;
/** Every bound is raised by this much, which takes up the errors of rounding. */
const ROUNDING = 1e-9;

/**
 * ln of Chernoff's bound on P[Σ size ≤ sum] (`small`) or P[Σ size ≥ sum] (`large`) over n independent sizes, each with
 * a law of the list, whichever law is the worst for each. At most 0.
 *
 * Exponents towards `large` stay under `steepest`: the caller's laws may be cut off where their tails no longer matter
 * at that exponent (sum-test.proof.md).
 */
export function logSumBound(
  laws: readonly SizeLaw[],
  { n, sum }: { n: number; sum: number },
  side: Side,
  steepest: number,
): number {
  if (n === 0) return 0;
  const signed = (size: number): number => (side === 'large' ? size : -size);
  const bound = (size: number): number => n * worstLogMoment(laws, signed(size)) - signed(size) * sum;
  return Math.min(0, smallestValue(bound, side === 'large' ? steepest : 40 * steepest) + ROUNDING * n);
}

/** The smallest value that a golden-section search of a function finds between 0 and `high`. */
function smallestValue(value: (x: number) => number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [from, to] = [0, high];
  let [left, right] = [to - ratio * (to - from), from + ratio * (to - from)];
  let [atLeft, atRight] = [value(left), value(right)];
  for (let step = 0; step < STEPS; step += 1) {
    if (atLeft < atRight) {
      [to, right, atRight] = [right, left, atLeft];
      left = to - ratio * (to - from);
      atLeft = value(left);
    } else {
      [from, left, atLeft] = [left, right, atRight];
      right = from + ratio * (to - from);
      atRight = value(right);
    }
  }
  return Math.min(atLeft, atRight);
}

/** The greatest ln E[e^(exponent·size)] among the laws. */
function worstLogMoment(laws: readonly SizeLaw[], exponent: number): number {
  const longest = laws.reduce((length, law) => Math.max(length, law.length), 0);
  const factors = Array.from({ length: longest }, (_, size) => Math.exp(exponent * size));
  let worst = 0;
  for (const law of laws) {
    let moment = 0;
    for (let size = 0; size < law.length; size += 1) moment += law[size]! * factors[size]!;
    if (moment > worst) worst = moment;
  }
  return Math.log(worst);
}
