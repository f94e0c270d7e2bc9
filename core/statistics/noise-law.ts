import { gaussianChance, gaussianTail } from './gaussian-law.ts';

/** Models whose noise is an integer, as published counts have it: real Laplace rounded to the nearest, or discrete. */
export const INTEGER_NOISES = ['rounded-laplace', 'discrete-laplace', 'discrete-gaussian'] as const;
export type IntegerNoise = (typeof INTEGER_NOISES)[number];
/** How noise is made: real Laplace, or one of those. */
export const NOISE_MODELS = ['real-laplace', ...INTEGER_NOISES] as const;
export type NoiseModel = (typeof NOISE_MODELS)[number];

/**
 * P[X = x] of one noise value of scale b > 0, or σ for Gaussian noise, x an integer. Discrete: (1−α)/(1+α)·α^|x| with
 * α = e^(−1/b) (Ghosh, Roughgarden, Sundararajan 2009). Rounded: 1−√α at 0, sinh(1/2b)·α^|x| elsewhere.
 */
export function noiseProbability(model: IntegerNoise, scale: number, x: number): number {
  switch (model) {
    case 'discrete-laplace':
      return Math.tanh(0.5 / scale) * Math.exp(-Math.abs(x) / scale);
    case 'rounded-laplace':
      return x === 0 ? -Math.expm1(-0.5 / scale) : Math.sinh(0.5 / scale) * Math.exp(-Math.abs(x) / scale);
    case 'discrete-gaussian':
      return gaussianChance(scale, x);
  }
}

/** P[X ≥ t] for any t (an integer for integer noise), computed as a tail. */
export function noiseTail(model: NoiseModel, scale: number, t: number): number {
  switch (model) {
    case 'real-laplace':
      return t >= 0 ? 0.5 * Math.exp(-t / scale) : 1 - 0.5 * Math.exp(t / scale);
    case 'rounded-laplace':
      return t <= 0 ? 1 - noiseTail(model, scale, 1 - t) : 0.5 * Math.exp((0.5 - t) / scale);
    case 'discrete-laplace':
      return t <= 0 ? 1 - noiseTail(model, scale, 1 - t) : Math.exp(-t / scale) / (1 + Math.exp(-1 / scale));
    case 'discrete-gaussian':
      return gaussianTail(scale, t).chance;
  }
}

/** Variance of one noise value: 2b² (real), 2α/(1−α)² (discrete), 2·sinh(1/2b)·α(1+α)/(1−α)³ (rounded). */
export function noiseVariance(model: NoiseModel, scale: number): number {
  const alpha = Math.exp(-1 / scale);
  const rest = -Math.expm1(-1 / scale);
  switch (model) {
    case 'real-laplace':
      return 2 * scale * scale;
    case 'discrete-laplace':
      return (2 * alpha) / (rest * rest);
    case 'rounded-laplace':
      return (2 * Math.sinh(0.5 / scale) * alpha * (1 + alpha)) / (rest * rest * rest);
    case 'discrete-gaussian':
      return 2 * gaussianTail(scale, 1).second;
  }
}
