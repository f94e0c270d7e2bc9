import { noiseProbability, noiseTail } from '../../../core/statistics/noise-law.ts';
import type { SizeLaw } from '../../../core/statistics/sum-test.ts';
import type { ReleasedNoise } from '../../mechanisms/mechanisms.ts';

/**
 * The law of what shadow runs draw, which is what is released. The formulas below are for this law alone: with a second
 * one in the table of mechanisms this line does not compile.
 */
export const SHADOW_NOISE: ReleasedNoise extends 'discrete-laplace' ? 'discrete-laplace' : never = 'discrete-laplace';

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

/** Chances of the bins under discrete Laplace noise, first to last; they add up to 1. */
export function binChances(scale: number): number[] {
  const { width, last } = noiseBinsOf(scale);
  const from = (k: number): number => k * width - (width - 1) / 2;
  const outer = Array.from({ length: last }, (_, index) => {
    const beyond = noiseTail(SHADOW_NOISE, scale, from(index + 1));
    return index + 1 === last ? beyond : beyond - noiseTail(SHADOW_NOISE, scale, from(index + 2));
  });
  const middle = noiseProbability(SHADOW_NOISE, scale, 0) + 2 * sum(1, (width - 1) / 2, scale);
  return [...outer.toReversed(), middle, ...outer];
}

/** Place of a non-negative excess: bins of `width` integers from 0 on, the last one open. */
export const excessBinOf = ({ width, last }: NoiseBins, excess: number): number =>
  Math.min(last, Math.floor(excess / width));

/** Chances of the last + 1 excess bins: noise that is not negative is geometric, P[X = x | X ≥ 0] = (1−α)·α^x. */
export function excessChances(scale: number): number[] {
  const { width, last } = noiseBinsOf(scale);
  const beyond = (bin: number): number => Math.exp((-bin * width) / scale);
  const one = -Math.expm1(-width / scale);
  return Array.from({ length: last + 1 }, (_, bin) => (bin === last ? beyond(bin) : beyond(bin) * one));
}

/** The law of |noise|. Exponents of its moment stay below 1/scale. */
export const sizeLaw = (scale: number): SizeLaw => ({
  mean: 1 / Math.sinh(1 / scale),
  logMoment: (exponent) => Math.log(Math.tanh(0.5 / scale) / Math.tanh((1 / scale - exponent) / 2)),
});

function sum(first: number, last: number, scale: number): number {
  let total = 0;
  for (let x = last; x >= first; x -= 1) total += noiseProbability(SHADOW_NOISE, scale, x);
  return total;
}
