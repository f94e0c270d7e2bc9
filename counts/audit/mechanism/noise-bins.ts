import type { Certificate } from '../../../contracts/certificate.ts';
import { gaussianSizes } from '../../../core/statistics/gaussian-law.ts';
import { noiseProbability, noiseTail } from '../../../core/statistics/noise-law.ts';
import type { SizeLaw } from '../../../core/statistics/sum-test.ts';
import { noiseOfCount, type ReleasedNoise } from '../../mechanisms/mechanisms.ts';

/** Noise that shadow runs draw, which is what is released: its law, and b or σ. */
export type ShadowNoise = { readonly model: ReleasedNoise; readonly scale: number };

/** The noise of a number of a certificate. The audit of 2017 compares with the integer law of its b: nothing draws it. */
export function shadowNoise({ mechanism }: Pick<Certificate, 'mechanism'>, amount: string): ShadowNoise {
  const { model, scale } = noiseOfCount(mechanism, amount);
  return { model: model === 'rounded-laplace' ? 'discrete-laplace' : model, scale };
}

/**
 * Bins of the noise of one scale, symmetric about 0: bin k ≠ ±last holds the `width` integers around k·width, the two
 * end bins everything beyond. `width` is odd and about half the scale.
 */
export type NoiseBins = { readonly width: number; readonly last: number };

export function noiseBinsOf(scale: number): NoiseBins {
  const width = 2 * Math.floor(scale / 4) + 1;
  return { width, last: Math.ceil((4 * scale) / width) + 2 };
}

/** Place of a noise value among the 2·last + 1 bins. */
export function binOf({ width, last }: NoiseBins, value: number): number {
  const size = Math.min(last, Math.floor((Math.abs(value) + (width - 1) / 2) / width));
  return last + (value < 0 ? -size : size);
}

/** Chances of the bins under noise of a law, first to last; they add up to 1. */
export function binChances({ model, scale }: ShadowNoise): number[] {
  const { width, last } = noiseBinsOf(scale);
  const from = (k: number): number => k * width - (width - 1) / 2;
  const outer = Array.from({ length: last }, (_, index) => {
    const beyond = noiseTail(model, scale, from(index + 1));
    return index + 1 === last ? beyond : beyond - noiseTail(model, scale, from(index + 2));
  });
  let middle = 0;
  for (let x = (width - 1) / 2; x >= 1; x -= 1) middle += 2 * noiseProbability(model, scale, x);
  middle += noiseProbability(model, scale, 0);
  return [...outer.toReversed(), middle, ...outer];
}

/** Place of a non-negative excess: bins of `width` integers from 0 on, the last one open. */
export const excessBinOf = ({ width, last }: NoiseBins, excess: number): number =>
  Math.min(last, Math.floor(excess / width));

/** Chances of the last + 1 excess bins: of noise given that it is not negative. */
export function excessChances({ model, scale }: ShadowNoise): number[] {
  const { width, last } = noiseBinsOf(scale);
  const beyond = (bin: number): number => noiseTail(model, scale, bin * width) / noiseTail(model, scale, 0);
  return Array.from({ length: last + 1 }, (_, bin) => beyond(bin) - (bin === last ? 0 : beyond(bin + 1)));
}

/** The law of |noise|, and the scale that explains a mean of it best. Exponents of its moment stay below 1/scale. */
const SIZES: Readonly<Record<ReleasedNoise, { law(scale: number): SizeLaw; scaleOf(mean: number): number }>> = {
  'discrete-laplace': {
    law: (scale) => ({
      mean: 1 / Math.sinh(1 / scale),
      logMoment: (exponent) => Math.log(Math.tanh(0.5 / scale) / Math.tanh((1 / scale - exponent) / 2)),
    }),
    // Of greatest likelihood: α = (√(1+m²) − 1)/m.
    scaleOf: (mean) => -1 / Math.log((Math.sqrt(1 + mean * mean) - 1) / mean),
  },
  'discrete-gaussian': {
    law: gaussianSizes,
    // By moments: that of the continuous law, which discrete noise of σ ≥ 1 has to within a tenth.
    scaleOf: (mean) => mean * Math.sqrt(Math.PI / 2),
  },
};

export const sizeLaw = ({ model, scale }: ShadowNoise): SizeLaw => SIZES[model].law(scale);

/** The scale that a mean of |noise| says; 0 when all noise is 0. */
export const scaleOfMean = (model: ReleasedNoise, mean: number): number => (mean > 0 ? SIZES[model].scaleOf(mean) : 0);
