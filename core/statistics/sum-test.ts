/** A law of a size 0, 1, 2, …: its mean, and ln E[e^(exponent·size)]. */
export type SizeLaw = { readonly mean: number; readonly logMoment: (exponent: number) => number };

/** Which sums speak against the hypothesis. */
export type Side = 'small' | 'large';

/** Steps of the search for the best exponent: any exponent gives a valid bound, the best one the smallest. */
const STEPS = 60;
/** Every bound is raised by this much, which takes up the errors of rounding. */
const ROUNDING = 1e-9;

/**
 * ln of Chernoff's bound on P[Σ size ≤ sum] (`small`) or P[Σ size ≥ sum] (`large`) over n independent sizes with this
 * law, or with laws whose sizes are stochastically no smaller (`small`), no larger (`large`). At most 0. Exponents
 * towards `large` stay under `steepest`, at which the moment has to be finite (sum-test.proof.md). Cost: O(1).
 */
export function logSumBound(
  { logMoment }: SizeLaw,
  { n, sum }: { n: number; sum: number },
  side: Side,
  steepest: number,
): number {
  if (n === 0) return 0;
  const orient = (size: number): number => (side === 'large' ? size : -size);
  const bound = (size: number): number => n * logMoment(orient(size)) - orient(size) * sum;
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
