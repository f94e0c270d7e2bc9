import { smallestFrom } from '../search/smallest-integer.ts';
import { gaussianTransform } from './gaussian-law.ts';
import { type IntegerNoise, noiseTail } from './noise-law.ts';

/** The number of independent noises of one scale in a sum; of a law of their own, where it is named. */
export type Term = readonly [scale: number, times: number, model?: IntegerNoise];

/** Sums beyond the reach of a law have a chance of at most e^(−33), under 5e-15, on either side. */
const BEYOND = 33;
/** Values of the transform below this one are left out, and all after the first MOST_VALUES. */
const NEGLIGIBLE = 1e-14;
const MOST_VALUES = 2 ** 19;
/** No exponent is greater than this, so that sinh stays a number. */
const STEEPEST = 600;
/** What tails beyond the reach, negligible values and rounding can do to a chance (integer-sum.proof.md). */
const ROUNDING = 1e-12;

/** Noises of one scale as the transform needs them: how many, and ln E[e^(zX)] of one. */
type Factor = { times: number; logOfOne(y: number): number };

/** Of discrete noise it is 1/(1 + y/sinh²(1/2b)), of rounded noise 1 − y/(2·cosh²(1/4b)) times as much. */
const laplaceTransform = (scale: number, divisor: number) => {
  const sharpness = Math.sinh(0.5 / scale) ** 2;
  return (y: number): number => Math.log1p(-y / divisor) - Math.log1p(y / sharpness);
};

/** ln E[e^(zX)] as a function of y = −sinh²(z/2). */
const TRANSFORMS = {
  'rounded-laplace': (scale) => laplaceTransform(scale, 2 * Math.cosh(0.25 / scale) ** 2),
  'discrete-laplace': (scale) => laplaceTransform(scale, Number.POSITIVE_INFINITY),
  'discrete-gaussian': gaussianTransform,
} satisfies Record<IntegerNoise, (scale: number) => Factor['logOfOne']>;

const factorsOf = (model: IntegerNoise, terms: readonly Term[]): Factor[] =>
  terms
    .filter(([scale]) => scale > 0)
    .map(([scale, times, own = model]) => ({ times, logOfOne: TRANSFORMS[own](scale) }));

/**
 * ln E[e^(zS)] as a function of y = −sinh²(z/2): y = sin²(t/2) gives the characteristic function at t, which is real,
 * positive and falls on [0, π].
 */
const logTransform = (factors: readonly Factor[], y: number): number =>
  factors.reduce((sum, { times, logOfOne }) => sum + times * logOfOne(y), 0);

/** The smallest of Chernoff's bounds on what a sum passes with a chance of at most e^(−BEYOND), over fixed exponents. */
function reachOf(factors: readonly Factor[], widest: number): number {
  let reach = Number.POSITIVE_INFINITY;
  for (let perScale = 0.9; perScale > 1e-4; perScale *= 0.7) {
    const exponent = Math.min(perScale / widest, STEEPEST);
    const bound = (logTransform(factors, -(Math.sinh(exponent / 2) ** 2)) + BEYOND) / exponent;
    reach = Math.min(reach, Math.ceil(bound));
  }
  return reach;
}

/**
 * The characteristic function of a sum at 2πk/points, k = 1, 2, …, as far as it counts. `points` is odd, a multiple of
 * the odd `width` of bins, and more than twice the reach, so that the sum modulo `points` is all but the sum itself.
 * `error` bounds what a chance from these values is wrong by.
 */
type Transform = { points: number; width: number; values: Float64Array; error: number };

/** Bins are single integers unless there would be more than `mostBins` on either side of 0; then they are wider. */
function transformOf(model: IntegerNoise, terms: readonly Term[], mostBins: number): Transform {
  const factors = factorsOf(model, terms);
  const widest = terms.reduce((most, [scale]) => Math.max(most, scale), 0);
  const reach = reachOf(factors, widest);
  const width = 2 * Math.floor(Math.ceil(reach / mostBins) / 2) + 1;
  const points = width * (2 * Math.ceil(reach / width) + 1);
  const values: number[] = [];
  for (let k = 1; 2 * k < points; k += 1) {
    const value = Math.exp(logTransform(factors, Math.sin((Math.PI * k) / points) ** 2));
    if (value < NEGLIGIBLE) break;
    if (values.length === MOST_VALUES)
      return { points, width, values: Float64Array.from(values), error: ROUNDING + value };
    values.push(value);
  }
  return { points, width, values: Float64Array.from(values), error: ROUNDING };
}

/** Bounds on a chance. */
export type ChanceBounds = { readonly lower: number; readonly upper: number };

/**
 * Bounds on P[|S| ≤ m], for any whole number m, of the sum S of independent integer noises: for one noise from its tail,
 * and else by Fourier inversion at enough points that nothing but rounding, the farthest tails, and what a very wide
 * noise among sharp ones leaves over is lost. They are at most 2e-12 apart for several noises of one scale, and 2e-9 for
 * any.
 *
 * Cost: at most 2^19 steps at first and for each m, whatever the scales and numbers; some hundreds for many noises.
 */
export function sumBounds(model: IntegerNoise, terms: readonly Term[]): (m: number) => ChanceBounds {
  const [only, ...others] = terms.filter(([scale, times]) => scale > 0 && times > 0);
  return only && only[1] === 1 && others.length === 0
    ? boundsOfOne(only[2] ?? model, only[0])
    : boundsOfSeveral(model, terms);
}

const boundsOfOne =
  (model: IntegerNoise, scale: number): ((m: number) => ChanceBounds) =>
  (m) => {
    const chance = m < 0 ? 0 : 1 - 2 * noiseTail(model, scale, m + 1);
    return { lower: Math.max(0, chance - Number.EPSILON), upper: Math.min(1, chance + Number.EPSILON) };
  };

function boundsOfSeveral(model: IntegerNoise, terms: readonly Term[]): (m: number) => ChanceBounds {
  const { points, values, error } = transformOf(model, terms, Number.POSITIVE_INFINITY);
  const weights = values.map((value, index) => value / Math.sin((Math.PI * (index + 1)) / points));
  return (m) => {
    const count = 2 * m + 1;
    if (count <= 0) return { lower: 0, upper: 0 };
    if (count >= points) return { lower: 1 - error, upper: 1 };
    let sum = 0;
    // From the far end, where terms are small. The angle is brought under 2π while it is a whole number.
    for (let k = weights.length; k >= 1; k -= 1)
      sum += weights[k - 1]! * Math.sin((Math.PI * ((count * k) % (2 * points))) / points);
    const chance = (count + 2 * sum) / points;
    return { lower: Math.max(0, chance - error), upper: Math.min(1, chance + error) };
  };
}

/**
 * The smallest integer h with P[|S| ≤ h] ≥ confidence, and a lower bound on that chance. Where the chance is nearer to
 * the confidence than can be computed, h is one more. Cost: that of sumBounds, for about 2·log2(h) numbers.
 */
export function sumHalfWidth(
  model: IntegerNoise,
  terms: readonly Term[],
  confidence: number,
): { halfWidth: number; coverage: number } {
  const bounds = sumBounds(model, terms);
  const covers = (h: number): boolean => bounds(h).lower >= Math.min(confidence, bounds(Number.MAX_SAFE_INTEGER).lower);
  const halfWidth = smallestFrom(0, covers)!;
  return { halfWidth, coverage: bounds(halfWidth).lower };
}

/** A law on the integers, symmetric about 0: entry i is the chance of the bin of `width` integers about ±i·width. */
export type SymmetricLaw = { readonly width: number; readonly chances: readonly number[] };

/** Bins of a law on either side of the one about 0. */
const MOST_BINS = 4096;

/**
 * The law of the sum of independent integer noises up to its reach, beyond which it has a chance under 1e-14. Bins are
 * single integers unless the reach is over 4,096; then their width is about 1/4,096 of it. Chances smaller than their
 * error are 0. Cost: at most 2^19 steps and 2^25 simpler ones, whatever the scales and numbers.
 */
export function sumLaw(model: IntegerNoise, terms: readonly Term[]): SymmetricLaw {
  const { points, width, values, error } = transformOf(model, terms, MOST_BINS);
  const bins = points / width;
  const last = (bins - 1) / 2;
  // To the bins, frequencies that differ by a multiple of their number are one.
  const spectrum = new Float64Array(last + 1);
  values.forEach((value, index) => {
    const [k, angle] = [(index + 1) % bins, Math.PI * (index + 1)];
    spectrum[Math.min(k, bins - k)]! += (value * Math.sin(angle / bins)) / Math.sin(angle / points);
  });
  const cosines = Float64Array.from({ length: bins }, (_, place) => Math.cos((2 * Math.PI * place) / bins));
  const chances = Array.from({ length: last + 1 }, (_, bin) => {
    let [sum, place] = [0, 0];
    for (let k = 0; k <= last; k += 1) {
      sum += spectrum[k]! * cosines[place]!;
      place += bin;
      if (place >= bins) place -= bins;
    }
    const chance = (width + 2 * sum) / points;
    return chance > error ? chance : 0;
  });
  return { width, chances };
}
