import { clearMean, type DeclaredNoise, differingTruths, type EqualPair, isClear, pairWeights } from './pair-laws.ts';

/** Pairs with a mean less than this many scales above the least clear mean are near the limit. */
const NEAR = 4;
/** Truths that fall near the limit, or below it, with a smaller chance than this are covered by ROUNDING. */
const SELDOM = 1e-9;
/** The bound is raised by this much for each pair: seldom cases and errors of rounding. */
const ROUNDING = 4e-9;

/** For one truth: the weights of the sizes of pairs near the limit and far above it, and the chance of neither or near. */
type Zones = { near: readonly number[]; far: readonly number[]; seen: number; notFar: number };

const total = (weights: readonly number[]): number => weights.reduceRight((sum, weight) => sum + weight, 0);

const moment = (weights: readonly number[], factors: readonly number[]): number =>
  weights.reduceRight((sum, weight, size) => sum + weight * factors[size]!, 0);

function zonesOf(noise: DeclaredNoise): { plain: readonly number[]; zones: Zones[] } {
  const weights = pairWeights(noise);
  const plain = pairWeights({ ...noise, threshold: null })(0, Number.NEGATIVE_INFINITY);
  if (noise.threshold === null) return { plain, zones: [] };
  const [least, farMean] = [clearMean(noise), farFrom(noise)];
  const zones = differingTruths(noise, farMean).map((truth): Zones => {
    const clear = weights(truth, least);
    const far = weights(truth, farMean);
    const near = clear.map((weight, size) => weight - far[size]!);
    return { near, far, seen: total(clear), notFar: 1 - total(far) };
  });
  return { plain, zones: zones.filter(({ notFar }) => notFar > SELDOM) };
}

const farFrom = (noise: DeclaredNoise): number => clearMean(noise) + Math.ceil(NEAR * noise.scale);

/** Exponents, in units of 1/b, that are weighed alike: 1/4 is best for noise of 0.8 times the scale, 1 for half of it. */
const EXPONENTS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 8];

/**
 * ln of a valid p-value of "the noise is not smaller than declared": small when the differences of clear pairs are too
 * small in sum. Valid whatever the truths (clear-pairs.proof.md). At most 0.
 *
 * Choosing pairs by their mean narrows the differences of those whose truth is just at the limit. So each pair near the
 * limit is weighed with a larger moment than the plain one, as large as the worst truth needs it, and pairs far above
 * the limit with the plain moment.
 */
export function logSmallNoiseBound(noise: DeclaredNoise, pairs: readonly EqualPair[]): number {
  const clear = pairs.filter((pair) => isClear(noise, pair));
  if (clear.length === 0) return 0;
  const sum = clear.reduce((sizes, [first, second]) => sizes + Math.abs(first - second), 0);
  const far = clear.filter(([first, second]) => (first + second) / 2 >= farFrom(noise)).length;
  const near = clear.length - far;
  const { plain, zones } = zonesOf(noise);
  const evidence = EXPONENTS.map((perScale) => {
    const exponent = perScale / noise.scale;
    const factors = plain.map((_, size) => Math.exp(-exponent * size));
    const plainMoment = moment(plain, factors);
    const nearLogarithm = near === 0 ? 0 : near * Math.log(nearMoment(zones, factors, plainMoment));
    return -nearLogarithm - far * Math.log(plainMoment) - exponent * sum;
  });
  return Math.min(0, ROUNDING * clear.length - logMean(evidence));
}

/** ln of the mean of numbers given by their logarithms. */
function logMean(logarithms: readonly number[]): number {
  const greatest = Math.max(...logarithms);
  const scaled = logarithms.reduce((sum, logarithm) => sum + Math.exp(logarithm - greatest), 0);
  return greatest + Math.log(scaled / logarithms.length);
}

/** The smallest K with E[near]/K + E[far]/plain ≤ P[seen] for every truth; infinite when there is none. */
function nearMoment(zones: readonly Zones[], factors: readonly number[], plainMoment: number): number {
  let worst = plainMoment;
  for (const { near, far, seen } of zones) {
    const room = seen - moment(far, factors) / plainMoment;
    const needed = room > 0 ? moment(near, factors) / room : Number.POSITIVE_INFINITY;
    if (needed > worst) worst = needed;
  }
  return worst;
}
