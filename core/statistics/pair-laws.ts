import { gaussianDifferenceSizes, logParitySum } from './gaussian-law.ts';
import { type IntegerNoise, noiseProbability, noiseTail } from './noise-law.ts';
import type { SizeLaw } from './sum-test.ts';

/**
 * The noise that a publication declares: its law, its scale b (σ of Gaussian noise), the threshold T (null: nothing is
 * suppressed), and whether empty cells have noise too and can reach it, as on a complete domain with a floor.
 */
export type DeclaredNoise = {
  readonly model: IntegerNoise;
  readonly scale: number;
  readonly threshold: number | null;
  readonly emptyCanShow?: boolean;
};

/** Two published counts whose truth is the same. */
export type EqualPair = readonly [first: number, second: number];

/** Pairs whose mean is this many scales above the threshold have all but lost the effect of suppression. */
const CLEAR = 8;

/**
 * The least mean of a pair that counts as clear of the threshold: T + 8b, rounded up to a half. With a half, a pair just
 * at the limit is never one of two equal counts: those would make the worst law far narrower than all others.
 */
export const clearMean = ({ scale, threshold }: DeclaredNoise): number =>
  threshold === null ? Number.NEGATIVE_INFINITY : Math.ceil(threshold + CLEAR * scale) + 0.5;

export const isClear = (noise: DeclaredNoise, [first, second]: EqualPair): boolean =>
  (first + second) / 2 >= clearMean(noise);

/** Laws of which P[x] is k·α^|x| for x ≠ 0. */
type LaplaceModel = Exclude<IntegerNoise, 'discrete-gaussian'>;
export type LaplaceNoise = DeclaredNoise & { readonly model: LaplaceModel };

/** k of P[x] = k·α^|x|, x ≠ 0. */
const FACTOR = {
  'discrete-laplace': (scale: number) => Math.tanh(0.5 / scale),
  'rounded-laplace': (scale: number) => Math.sinh(0.5 / scale),
} satisfies Record<LaplaceModel, (scale: number) => number>;

/** P[X ≥ t] is this much times α^t for t ≥ 1, and less for other t. */
const TAIL_FACTOR = {
  'discrete-laplace': (scale: number) => 1 / (1 + Math.exp(-1 / scale)),
  'rounded-laplace': (scale: number) => 0.5 * Math.exp(0.5 / scale),
} satisfies Record<LaplaceModel, (scale: number) => number>;

/**
 * Numbers of one law, all sums below being closed forms in them: P[x] is k·α^|x|, and `extra` more at 0 (0 for discrete
 * noise, below 0 for rounded noise); `equal` is P[X = Y].
 */
function numbersOf({ model, scale }: Pick<LaplaceNoise, 'model' | 'scale'>) {
  const k = FACTOR[model](scale);
  const extra = noiseProbability(model, scale, 0) - k;
  const square = Math.exp(-2 / scale);
  const notSquare = -Math.expm1(-2 / scale);
  return { k, extra, square, notSquare, equal: (k * k * (1 + square)) / notSquare + extra * (2 * k + extra) };
}

/** The law of |X − Y| of two noises, neither of them chosen by what it is. Exponents stay below 1/scale. */
export function differenceSizes({ model, scale }: Pick<DeclaredNoise, 'model' | 'scale'>): SizeLaw {
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return laplaceDifferenceSizes({ model, scale });
    case 'discrete-gaussian':
      return gaussianDifferenceSizes(scale);
  }
}

function laplaceDifferenceSizes(noise: Pick<LaplaceNoise, 'model' | 'scale'>): SizeLaw {
  const { k, extra, square, notSquare, equal } = numbersOf(noise);
  const atEach = (k * k * (1 + square)) / notSquare + 2 * k * extra;
  // Σ z^d and Σ d·z^d from d = 1 on
  const moment = (exponent: number): number => {
    const [ratio, rest] = powers(1 / noise.scale - exponent);
    return equal + (2 * ratio * ((k * k) / rest + atEach)) / rest;
  };
  const [ratio, rest] = powers(1 / noise.scale);
  const mean = (2 * ratio * ((k * k * (1 + ratio)) / rest + atEach)) / (rest * rest);
  return { mean, logMoment: (exponent) => Math.log(moment(exponent)) };
}

/** e^(−rate) and 1 − e^(−rate). */
const powers = (rate: number): [ratio: number, rest: number] => [Math.exp(-rate), -Math.expm1(-rate)];

/** E[e^(−exponent·|X − Y|); X + Y ≥ least] or < least, of two noises; `least` is a whole number. */
export type SumMoments = { readonly from: (least: number) => number; readonly below: (least: number) => number };

/**
 * The moments for an exponent of at least 0; with 0 they are chances. Closed forms, and small ones are computed as
 * tails. Cost: O(1) for each.
 */
export function sumMoments(noise: LaplaceNoise, exponent: number): SumMoments {
  const all = Math.exp(differenceSizes(noise).logMoment(-exponent));
  const upper = upperMoments(noise, exponent);
  // X + Y is symmetric about 0, given |X − Y|.
  return {
    from: (least) => (least >= 1 ? upper(least) : all - upper(1 - least)),
    below: (least) => (least >= 1 ? all - upper(least) : upper(1 - least)),
  };
}

/** The moments `from` a sum of 1 or more. */
function upperMoments(noise: LaplaceNoise, exponent: number): (from: number) => number {
  const { k, extra, notSquare } = numbersOf(noise);
  const rate = 1 / noise.scale;
  const [alpha, notAlpha] = powers(rate);
  const [both, notBoth] = powers(rate + exponent);
  const [step, notStepSquare] = [Math.exp(-exponent), -Math.expm1(-2 * exponent)];
  const notBothSquare = -Math.expm1(-2 * (rate + exponent));
  // Where the noises have different signs the difference is greater than the size of the sum; at the edge one is 0.
  const cross = (2 * both * both) / (notBoth * notBothSquare);
  const edge = (2 * extra) / (k * notBoth);
  return (from) => {
    const [alphaFrom, bothFrom] = [Math.exp(-rate * from), Math.exp(-(rate + exponent) * from)];
    return k * k * (sameSign(from, alphaFrom, bothFrom) + (cross + edge) * bothFrom);
  };

  /** Σ α^s·Σ e^(−exponent·|d|) over sums s from `from` on and differences d = −s, −s + 2, …, s. */
  function sameSign(from: number, alphaFrom: number, bothFrom: number): number {
    if (exponent === 0) return (alphaFrom * (from + 1 + alpha / notAlpha)) / notAlpha;
    const [even, odd] = from % 2 === 0 ? [alphaFrom, alphaFrom * alpha] : [alphaFrom * alpha, alphaFrom];
    const whole = ((1 + step * step) * even + 2 * step * odd) / notSquare;
    const beyond = (2 * step * step * bothFrom * (1 + both)) / notBothSquare;
    return (whole - beyond) / notStepSquare;
  }
}

/**
 * At most so large is the chance that, of a pair of a truth from T − 1 on, one count is under the threshold although the
 * mean is at least `leastMean`, which is T + ½ or more.
 */
export function chancesUnder({ model, scale, threshold }: LaplaceNoise, leastMean: number): (truth: number) => number {
  if (threshold === null) return () => 0;
  const { k, notSquare } = numbersOf({ model, scale });
  const tail = TAIL_FACTOR[model](scale);
  const withOther = (2 * k * tail * Math.exp((-2 * (leastMean - threshold) - 2) / scale)) / notSquare;
  return (truth) => Math.min(withOther, 2 * noiseTail(model, scale, truth - threshold + 1));
}

/** The sum of two noises from which on the mean of their pair is at least `leastMean`. */
export const leastSum = (truth: number, leastMean: number): number => Math.ceil(2 * (leastMean - truth));

/** A chance this small does not change 1. */
const NEVER = 1e-17;

/**
 * The greatest chance that two counts of equal truth are equal, of all truths, given that both are published with a
 * mean of at least `leastMean`, T + ½ or more. Cost: O(scale).
 */
export function equalityChance(noise: DeclaredNoise, leastMean: number): number {
  const { model } = noise;
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return laplaceEqualityChance({ ...noise, model }, leastMean);
    case 'discrete-gaussian':
      // Only even sums have equal pairs, and a truth far below the threshold can leave one parity alone.
      return Math.exp(-logParitySum(noise.scale, 0));
  }
}

function laplaceEqualityChance(noise: LaplaceNoise, leastMean: number): number {
  const { k, square, notSquare, equal } = numbersOf(noise);
  if (noise.threshold === null) return equal;
  /** Σ P[x]² over x ≥ from, for from ≥ 1. */
  const upperEqual = (from: number): number => (k * k * square ** from) / notSquare;
  const [chance, hiddenOf] = [sumMoments(noise, 0), chancesUnder(noise, leastMean)];
  let worst = equal;
  for (let truth = noise.threshold - 1; ; truth += 1) {
    const least = leastSum(truth, leastMean);
    const from = Math.ceil(least / 2);
    const equalSeen = from >= 1 ? upperEqual(from) : equal - upperEqual(1 - from);
    const under = hiddenOf(truth);
    worst = Math.max(worst, equalSeen / (chance.from(least) - under));
    // From this truth on nothing is left out that would show in a chance.
    if (chance.below(least) + under < NEVER) return worst;
  }
}

/**
 * ln of what E[e^(−exponent·|X − Y|)] of clear pairs of Gaussian noise is at most, whatever their truth: the greater of
 * both parities of X + Y, of which alone it depends (pair-laws.proof.md).
 */
export const logClearMoment = (deviation: number, exponent: number): number =>
  Math.max(
    ...([0, 1] as const).map((parity) => logParitySum(deviation, parity, exponent) - logParitySum(deviation, parity)),
  );
