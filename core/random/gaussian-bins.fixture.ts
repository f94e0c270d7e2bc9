import { type Rational, toNumber } from '../rational/rational.ts';

/**
 * Probabilities of the bins X ≤ −limit, −limit+1, …, limit−1, X ≥ limit of N_Z(0, σ²), by the definition, in floating
 * point.
 */
export function gaussianBins(variance: Rational, limit: number): number[] {
  const s2 = toNumber(variance);
  const far = Math.max(limit, Math.ceil(40 * Math.sqrt(s2))) + 2;
  const weights = Array.from({ length: far + 1 }, (_, x) => Math.exp((-x * x) / (2 * s2)));
  const whole = weights.reduceRight((sum, weight, x) => sum + (x === 0 ? 1 : 2) * weight, 0);
  const tail = weights.slice(limit).reduceRight((sum, weight) => sum + weight, 0);
  return Array.from({ length: 2 * limit + 1 }, (_, place) => {
    const size = Math.abs(place - limit);
    return (size === limit ? tail : weights[size]!) / whole;
  });
}
