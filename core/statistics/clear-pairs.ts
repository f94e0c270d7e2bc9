import {
  chancesUnder,
  clearMean,
  type DeclaredNoise,
  differenceSizes,
  type EqualPair,
  isClear,
  type LaplaceNoise,
  leastSum,
  logClearMoment,
  sumMoments,
} from './pair-laws.ts';

/** Pairs with a mean less than this many scales above the least clear mean are near the limit. */
const NEAR = 4;
/** Truths whose pairs are not seen with at most this chance are covered by ROUNDING. */
const SELDOM = 1e-8;
/** The bound is raised by this much for each pair: seldom cases and errors of rounding. */
const ROUNDING = 4e-8;

const farFrom = (noise: DeclaredNoise): number => clearMean(noise) + Math.ceil(NEAR * noise.scale);

/** Exponents, in units of 1/b, that are weighed alike: 1/4 is best for noise of 0.8 times the scale, 1 for half of it. */
const EXPONENTS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 8];

/**
 * ln of a valid p-value of "the noise is not smaller than declared": small when the differences of clear pairs are too
 * small in sum. Valid whatever the truths (clear-pairs.proof.md). At most 0. Cost: O(pairs), and O(scale) if some pairs
 * are near the limit.
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
  const evidence = EXPONENTS.map((perScale) => {
    const exponent = perScale / noise.scale;
    const moments = logMoments(noise, exponent);
    const nearLogarithm = near === 0 ? 0 : near * moments.near();
    return -nearLogarithm - far * moments.far - exponent * sum;
  });
  return Math.min(0, ROUNDING * clear.length - logMean(evidence));
}

/** ln of what the moments of pairs far above the limit, and of those near it, are at most. */
function logMoments(noise: DeclaredNoise, exponent: number): { far: number; near(): number } {
  const { model } = noise;
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace': {
      const plain = differenceSizes(noise).logMoment(-exponent);
      return { far: plain, near: () => Math.log(nearMoment({ ...noise, model }, exponent, Math.exp(plain))) };
    }
    case 'discrete-gaussian': {
      const most = logClearMoment(noise.scale, exponent);
      return { far: most, near: () => most };
    }
  }
}

/** ln of the mean of numbers given by their logarithms. */
function logMean(logarithms: readonly number[]): number {
  const greatest = Math.max(...logarithms);
  const total = logarithms.reduce((sum, logarithm) => sum + Math.exp(logarithm - greatest), 0);
  return greatest + Math.log(total / logarithms.length);
}

/** The smallest K with E[near]/K + E[far]/plain ≤ P[seen] for every truth; infinite when there is none. */
function nearMoment(noise: LaplaceNoise, exponent: number, plain: number): number {
  if (noise.threshold === null) return plain;
  const [clear, far] = [clearMean(noise), farFrom(noise)];
  const [chance, moments, hiddenOf] = [sumMoments(noise, 0), sumMoments(noise, exponent), chancesUnder(noise, clear)];
  let worst = plain;
  for (let truth = noise.threshold - 1; ; truth += 1) {
    const [nearFrom, farFromSum] = [leastSum(truth, clear), leastSum(truth, far)];
    const under = hiddenOf(truth);
    const miss = chance.below(nearFrom) + under;
    if (miss <= SELDOM) return worst;
    // P[seen] − E[far]/plain, as a difference of whichever are the tails.
    const isAbove = farFromSum > 0;
    const tail = isAbove ? moments.from : moments.below;
    const farTail = tail(farFromSum);
    const near = Math.abs(tail(nearFrom) - farTail);
    const room = isAbove ? chance.from(nearFrom) - under - farTail / plain : farTail / plain - miss;
    worst = Math.max(worst, room > 0 ? near / room : Number.POSITIVE_INFINITY);
  }
}
