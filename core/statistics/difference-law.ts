import { gaussianDifference } from './gaussian-law.ts';
import type { IntegerNoise, NoiseModel } from './noise-law.ts';

/**
 * The law of u = X − Y, the difference of two published counts of equal truth, X and Y independent noise of scale b, or
 * σ. Of Laplace noise with r = e^(−1/2b), α = r², the probability of ±d is written as r^(2d)·h(d, r), whose derivative
 * by b is at hand.
 */
type Terms = { h: number; slope: number };

/** 1 − r without cancellation for large scales. */
const restOf = (scale: number): number => -Math.expm1(-0.5 / scale);

/** h and dh/dr of the difference of two rounded Laplace noises at |u| = d. */
function roundedTerms(scale: number, d: number): Terms {
  const r = Math.exp(-0.5 / scale);
  const rest = restOf(scale);
  const square = r * r;
  const c = (square * (rest * (1 + r))) / (2 * (1 + square));
  const cSlope = (r * (1 - 2 * square - square * square)) / (1 + square) ** 2;
  if (d === 0) return { h: rest * rest + c, slope: -2 * rest + cSlope };
  const a = (rest * rest * (1 + r)) / r;
  const aSlope = -1 / square - 1 + 2 * r;
  const b = (rest * (1 + r)) ** 2 / (4 * square);
  const bSlope = (r - 1 / (square * r)) / 2;
  return { h: a + (d - 1) * b + c, slope: aSlope + (d - 1) * bSlope + cSlope };
}

/** h and dh/dr of the difference of two discrete Laplace noises at |u| = d. */
function discreteTerms(scale: number, d: number): Terms {
  const alpha = Math.exp(-1 / scale);
  const rest = -Math.expm1(-1 / scale);
  const front = (rest / (1 + alpha)) ** 2;
  const frontSlope = (-4 * rest) / (1 + alpha) ** 3;
  const shift = (1 + alpha * alpha) / (rest * (1 + alpha));
  const shiftSlope = (4 * alpha) / (rest * (1 + alpha)) ** 2;
  const slopeByAlpha = frontSlope * (d + shift) + front * shiftSlope;
  return { h: front * (d + shift), slope: slopeByAlpha * 2 * Math.exp(-0.5 / scale) };
}

/** ln P[u = ±d] and its slope by the scale. */
type LogTerms = { logChance: number; slope: number };

/** The same of a law whose probability of ±d is r^(2d)·h(d, r): dr/db = r/(2b²). */
const logOf =
  (terms: (scale: number, d: number) => Terms) =>
  (scale: number, d: number): LogTerms => {
    const { h, slope } = terms(scale, d);
    const square = scale * scale;
    return {
      logChance: Math.log(h) - d / scale,
      slope: ((slope / h) * Math.exp(-0.5 / scale)) / (2 * square) + d / square,
    };
  };

const DIFFERENCES = {
  'rounded-laplace': logOf(roundedTerms),
  'discrete-laplace': logOf(discreteTerms),
  'discrete-gaussian': gaussianDifference,
} satisfies Record<IntegerNoise, (scale: number, d: number) => LogTerms>;

/** ln P[u = ±d] (natural log of the density at d for real noise), d ≥ 0. */
export function logDifferenceProbability(model: NoiseModel, scale: number, d: number): number {
  if (model === 'real-laplace') return Math.log((d + scale) / (4 * scale * scale)) - d / scale;
  return DIFFERENCES[model](scale, d).logChance;
}

/** P[u = d] for any integer d, of either sign; for real noise the density. */
export const differenceProbability = (model: NoiseModel, scale: number, d: number): number =>
  Math.exp(logDifferenceProbability(model, scale, Math.abs(d)));

/** d/db of logDifferenceProbability: the score. */
export function differenceScore(model: NoiseModel, scale: number, d: number): number {
  if (model === 'real-laplace') return 1 / (d + scale) + d / (scale * scale) - 2 / scale;
  return DIFFERENCES[model](scale, d).slope;
}

/** Terms beyond this many scales weigh less than 1e-30. */
const FAR = 80;

/** Σ over all integers u of P[u]·value(|u|), for integer noise. */
function expectation(model: NoiseModel, scale: number, value: (d: number) => number): number {
  let sum = 0;
  for (let d = Math.ceil(FAR * scale) + 4; d > 0; d -= 1) sum += 2 * differenceProbability(model, scale, d) * value(d);
  return sum + differenceProbability(model, scale, 0) * value(0);
}

/** b²·I(b) of noise that is not rounded: 1 + e·E₁(1)/2 of Laplace noise, E₁ the exponential integral; 2 of Gaussian. */
const REAL_INFORMATION = {
  'real-laplace': 1.298173681161597,
  'rounded-laplace': 1.298173681161597,
  'discrete-laplace': 1.298173681161597,
  'discrete-gaussian': 2,
} satisfies Record<NoiseModel, number>;

/** From this scale on the information of integer noise is that of real noise, except for one part in a million. */
const WIDE = 1000;

/**
 * Fisher information of one difference about b; the standard error of the estimate from n is 1/√(n·I). Cost: O(scale) up
 * to a scale of 1,000, and O(1) beyond.
 */
export function differenceInformation(model: NoiseModel, scale: number): number {
  if (model === 'real-laplace' || scale >= WIDE) return REAL_INFORMATION[model] / (scale * scale);
  return expectation(model, scale, (d) => differenceScore(model, scale, d) ** 2);
}
