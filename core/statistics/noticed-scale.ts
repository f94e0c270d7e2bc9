import type { Goal } from './required-samples.ts';

/** What the sum test gives away to rounding, for each value (sum-test.ts), and as much again. */
const ROUNDING = 2e-9;
/** The sum test tries exponents towards small sums up to this many times 1/scale. */
const STEEPEST = 20;

/**
 * The greatest share of the declared scale at which `samples` values of discrete Laplace noise are found to be too
 * small: with noise of that share of the scale, or less, the test of Σ|noise| (sum-test.ts) is at or under the level
 * with at least the power. 0 when there is none. (noticed-scale.proof.md)
 */
export function findScaleShare(samples: number, scale: number, { level, power }: Goal): number {
  if (samples === 0) return 0;
  const alpha = Math.exp(-1 / scale);
  const least = alpha * Math.exp(-STEEPEST / scale);
  const rejects = (ratio: number): boolean => divergence(ratio, alpha) >= -Math.log(level) / samples + ROUNDING;
  if (!rejects(least)) return 0;
  const mean = greatest(least, alpha, rejects);
  const limit = greatest(0, mean, (ratio) => divergence(mean, ratio) >= -Math.log(1 - power) / samples);
  return limit === 0 ? 0 : -1 / Math.log(limit) / scale;
}

/** E[ln(p/q)] under p, of the laws p and q of |noise| with these ratios e^(−1/scale). */
const divergence = (p: number, q: number): number =>
  Math.log1p(-p) - Math.log1p(p) - Math.log1p(-q) + Math.log1p(q) + ((2 * p) / (1 - p * p)) * Math.log(p / q);

/** The greatest number at which it holds, from `low`, at which it does, up to `high`; rounded down. */
function greatest(low: number, high: number, holds: (value: number) => boolean): number {
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return low;
    if (holds(middle)) low = middle;
    else high = middle;
  }
}
