/** How noise is made: real Laplace, real Laplace rounded to the nearest integer, or discrete Laplace. */
export const NOISE_MODELS = ['real-laplace', 'rounded-laplace', 'discrete-laplace'] as const;
export type NoiseModel = (typeof NOISE_MODELS)[number];
/** The models whose noise is an integer, as published counts have it. */
export type IntegerNoise = Exclude<NoiseModel, 'real-laplace'>;

/**
 * P[X = x] of one noise value of scale b > 0, x an integer. Discrete: (1−α)/(1+α)·α^|x| with α = e^(−1/b) (Ghosh,
 * Roughgarden, Sundararajan 2009). Rounded: 1−√α at 0, sinh(1/2b)·α^|x| elsewhere.
 */
export function noiseProbability(model: IntegerNoise, scale: number, x: number): number {
  if (model === 'discrete-laplace') return Math.tanh(0.5 / scale) * Math.exp(-Math.abs(x) / scale);
  if (x === 0) return -Math.expm1(-0.5 / scale);
  return Math.sinh(0.5 / scale) * Math.exp(-Math.abs(x) / scale);
}

/** P[X ≥ t] for any t (an integer for the two models of integer noise), computed as a tail. */
export function noiseTail(model: NoiseModel, scale: number, t: number): number {
  if (model === 'real-laplace') return t >= 0 ? 0.5 * Math.exp(-t / scale) : 1 - 0.5 * Math.exp(t / scale);
  if (t <= 0) return 1 - noiseTail(model, scale, 1 - t);
  if (model === 'rounded-laplace') return 0.5 * Math.exp((0.5 - t) / scale);
  return Math.exp(-t / scale) / (1 + Math.exp(-1 / scale));
}

/** Variance of one noise value: 2b² (real), 2α/(1−α)² (discrete), 2·sinh(1/2b)·α(1+α)/(1−α)³ (rounded). */
export function noiseVariance(model: NoiseModel, scale: number): number {
  if (model === 'real-laplace') return 2 * scale * scale;
  const alpha = Math.exp(-1 / scale);
  const rest = -Math.expm1(-1 / scale);
  if (model === 'discrete-laplace') return (2 * alpha) / (rest * rest);
  return (2 * Math.sinh(0.5 / scale) * alpha * (1 + alpha)) / (rest * rest * rest);
}
