import { makeCache } from '../memory/function-cache.ts';
import type { SizeLaw } from './sum-test.ts';

/** Sums of a law in doubles: of weights from an integer t ≥ 0 on, and of these times x and x². */
type Tails = { chances: Float64Array; firsts: Float64Array; seconds: Float64Array };

/** Beyond this many σ a weight is 0 as a double. */
const REACH = 39;
/** Beyond this many σ a moment has nothing that counts: exponents towards it stay below 1/σ. */
const REACH_OF_MOMENTS = 12;
/** Laws that are kept: some hundred kilobytes each, for cells, two margins and what is left out, of two releases. */
const LAWS_KEPT = 8;
const cache = makeCache<Tails, number>(LAWS_KEPT);

/** The tails of N_Z(0, σ²), summed from the far end. Cost: O(σ), once. */
const tailsOf = (deviation: number): Tails => cache(deviation, () => computeTails(deviation));

function computeTails(deviation: number): Tails {
  const size = Math.ceil(REACH * deviation) + 2;
  const tails: Tails = {
    chances: new Float64Array(size),
    firsts: new Float64Array(size),
    seconds: new Float64Array(size),
  };
  for (let x = size - 2; x >= 0; x--) {
    const weight = Math.exp((-x * x) / (2 * deviation * deviation));
    tails.chances[x] = tails.chances[x + 1]! + weight;
    tails.firsts[x] = tails.firsts[x + 1]! + x * weight;
    tails.seconds[x] = tails.seconds[x + 1]! + x * x * weight;
  }
  const whole = 2 * tails.chances[0]! - 1;
  for (const sums of Object.values(tails)) for (let x = 0; x < size; x++) sums[x]! /= whole;
  return tails;
}

/** P[X = x]. */
export const gaussianChance = (deviation: number, x: number): number =>
  Math.exp((-x * x) / (2 * deviation * deviation)) * (2 * tailsOf(deviation).chances[0]! - 1);

/** P[X ≥ t], E[X; X ≥ t] and E[X²; X ≥ t] for any integer t. */
export function gaussianTail(deviation: number, t: number): { chance: number; first: number; second: number } {
  const { chances, firsts, seconds } = tailsOf(deviation);
  // X is symmetric: what is below t is what is above −t.
  const at = t > 0 ? t : 1 - t;
  const above = { chance: chances[at] ?? 0, first: firsts[at] ?? 0, second: seconds[at] ?? 0 };
  return t > 0 ? above : { chance: 1 - above.chance, first: above.first, second: 2 * seconds[0]! - above.second };
}

/** The law of |X|. Cost: O(σ) for each moment. */
export const gaussianSizes = (deviation: number): SizeLaw => ({
  mean: 2 * gaussianTail(deviation, 1).first,
  logMoment: (exponent) =>
    Math.log(2 * (2 * tailsOf(deviation).chances[0]! - 1)) +
    logSum(deviation, 2, 0, 1, (x) => exponent * x + (x === 0 ? -Math.LN2 : 0)),
});

/** ln Σ e^(−x²/(kind·σ²) + more) over x = from, from + step, …, as far as it counts. */
function logSum(deviation: number, kind: 2 | 4, from: number, step: number, more: (x: number) => number): number {
  const [terms, square] = [[] as number[], kind * deviation * deviation];
  for (let x = from; x <= (REACH_OF_MOMENTS / 2) * kind * deviation + from; x += step)
    terms.push((-x * x) / square + more(x));
  const greatest = Math.max(...terms);
  return greatest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - greatest), 0));
}

/**
 * ln Σ e^(−d²/4σ² − exponent·|d|) over the even, or the odd, integers d. The sum X + Y and the difference d of two noises
 * are of one parity, and for each parity they are independent: e^(−(s² + d²)/4σ²).
 */
export const logParitySum = (deviation: number, parity: 0 | 1, exponent = 0): number =>
  Math.LN2 + logSum(deviation, 4, parity, 2, (d) => -exponent * d - (d === 0 ? Math.LN2 : 0));

/** From this σ on sums over even and odd integers are integrals, except for a part below e^(−80). */
const SMOOTH = 3;

/** ln P[X − Y = ±d], d ≥ 0, and its slope by σ. */
export function gaussianDifference(deviation: number, d: number): { logChance: number; slope: number } {
  const [square, cube] = [4 * deviation ** 2, 2 * deviation ** 3];
  if (deviation >= SMOOTH)
    return {
      logChance: (-d * d) / square - Math.log(2 * deviation * Math.sqrt(Math.PI)),
      slope: (d * d) / cube - 1 / deviation,
    };
  const [even, odd] = [logParitySum(deviation, 0), logParitySum(deviation, 1)];
  const own = d % 2 === 0 ? even : odd;
  const [squares, others] = [secondOf(deviation, 0), secondOf(deviation, 1)];
  const share = 1 / (1 + Math.exp(2 * (odd - even)));
  const whole = 2 * (share * squares + (1 - share) * others);
  return {
    logChance: (-d * d) / square + own - (2 * even - Math.log(share)),
    slope: (d * d + (d % 2 === 0 ? squares : others) - whole) / cube,
  };
}

/** E[s²] of a sum of two noises that has a parity. */
function secondOf(deviation: number, parity: 0 | 1): number {
  const all = logSum(deviation, 4, parity, 2, (s) => (s === 0 ? -Math.LN2 : 0));
  return Math.exp(logSum(deviation, 4, 2 - parity, 2, (s) => 2 * Math.log(s)) - all);
}

/** The law of |X − Y|. Cost: O(σ) for each moment. */
export const gaussianDifferenceSizes = (deviation: number): SizeLaw => {
  const [even, odd] = [logParitySum(deviation, 0), logParitySum(deviation, 1)];
  const whole = 2 * even + Math.log1p(Math.exp(2 * (odd - even)));
  const logMoment = (exponent: number): number => {
    const [one, other] = [even + logParitySum(deviation, 0, -exponent), odd + logParitySum(deviation, 1, -exponent)];
    return one + Math.log1p(Math.exp(other - one)) - whole;
  };
  const first = (parity: 0 | 1, own: number): number =>
    2 * Math.exp(own + logSum(deviation, 4, 2 - parity, 2, Math.log) - whole);
  return { mean: first(0, even) + first(1, odd), logMoment };
};

/**
 * ln E[e^(z·X)] as a function of y = −sinh²(z/2) < 0, rounded up: at most z²σ²/2; and of y = sin²(t/2) from 0 to 1 the
 * logarithm of the characteristic function at t, by Poisson's summation.
 */
export function gaussianTransform(deviation: number): (y: number) => number {
  const square = deviation * deviation;
  const most = 1 + Math.ceil(2 / deviation);
  const theta = (t: number): number => {
    let sum = 0;
    // Terms over the one nearest to 0, which t ≤ π leaves the greatest.
    for (let k = most; k >= 1; k--)
      for (const sign of [1, -1]) sum += Math.exp(-2 * square * Math.PI * k * (Math.PI * k + sign * t));
    return (-square * t * t) / 2 + Math.log1p(sum);
  };
  const atZero = theta(0);
  return (y) => (y < 0 ? 2 * square * Math.asinh(Math.sqrt(-y)) ** 2 : theta(2 * Math.asin(Math.sqrt(y))) - atZero);
}
