import { atLeast, atMost, binomialTest, type Proportion, proportion } from './binomial.ts';
import { epsilonTest, type NeighbourFrequencies } from './epsilon-lower-bound.ts';
import { TEST_LEVEL } from './holm.ts';
import { logSumBound, type Side, type SizeLaw } from './sum-test.ts';

/** A test at this level has to catch what it is for with at least this power. */
export type Goal = { readonly level: number; readonly power: number };

/** What the samples of an audit are planned for: as many tests as TEST_LEVEL allows for, each missing one fault in 1,000. */
export const PLANNED: Goal = { level: TEST_LEVEL, power: 0.999 };

/** No search goes beyond this many samples. */
const MOST = 2 ** 24;

/**
 * A number of samples that suffices, and that is the smallest but for the saw-tooth of exact tests (one sample more can
 * cost a little power). Throws RangeError when not even 2^24 do.
 */
function smallestSufficient(suffices: (samples: number) => boolean): number {
  let high = 1;
  while (!suffices(high)) {
    high *= 2;
    if (high > MOST) throw new RangeError('no number of samples up to 2^24 reaches this power');
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The smallest count that P[K > count] ≤ missed, or the largest with P[K < count] ≤ missed, by bisection. */
function quantile(samples: number, chance: Proportion, missed: number, side: 'upper' | 'lower'): number {
  let [low, high] = [-1, samples];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const isHigh =
      side === 'upper' ? atLeast(middle + 1, samples, chance) <= missed : atMost(middle, samples, chance) > missed;
    if (isHigh) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Samples for the exact binomial test of an event whose chance should be `supposed` and is `actual`: with them the test
 * rejects with at least the power asked for.
 */
export const samplesForEvent = (supposed: number, actual: number, goal: Goal): number =>
  smallestSufficient((samples) => eventSuffices(samples, supposed, actual, goal));

/** Are these samples enough for that test? */
export function eventSuffices(samples: number, supposed: number, actual: number, { level, power }: Goal): boolean {
  const side = actual > supposed ? 'lower' : 'upper';
  const worst = quantile(samples, proportion(actual), 1 - power, side);
  return binomialTest(worst, samples, proportion(supposed), 'either') <= level;
}

/** Chances of an event on two neighbouring inputs. */
type NeighbourChances = { present: number; absent: number };
type Claim = { claimed: number; delta: number };

/**
 * Runs on each of two neighbouring inputs, for epsilonTest to reject `claimed` when an event has the chances `present`
 * and `absent` on them.
 */
export const samplesForEpsilon = (chances: NeighbourChances, claim: Claim, goal: Goal): number =>
  smallestSufficient((runs) => epsilonSuffices(runs, chances, claim, goal));

/** Are these runs on each input enough for that? */
export function epsilonSuffices(
  runs: number,
  { present, absent }: NeighbourChances,
  { claimed, delta }: Claim,
  { level, power }: Goal,
): boolean {
  const missed = (1 - power) / 2;
  const frequencies: NeighbourFrequencies = {
    present: { events: quantile(runs, proportion(present), missed, 'lower'), runs },
    absent: { events: quantile(runs, proportion(absent), missed, 'upper'), runs },
  };
  return epsilonTest(frequencies, delta, claimed) <= level;
}

/**
 * Samples for the two-sided sum test (sum-test.ts at half the level on each side) to notice that sizes have the law
 * `actual` where `supposed` was declared. Both errors are bounded by Chernoff, so that the number is on the safe side.
 */
export function samplesForSum(supposed: SizeLaw, actual: SizeLaw, { level, power }: Goal, steepest: number): number {
  const [side, missed] = mean(actual) < mean(supposed) ? (['small', 'large'] as const) : (['large', 'small'] as const);
  return smallestSufficient((n) => {
    const sum = sumSeldomPassed(actual, n, { side: missed, chance: 1 - power }, steepest);
    return logSumBound([supposed], { n, sum }, side, steepest) <= Math.log(level / 2);
  });
}

/** The sum nearest to its mean that n sizes reach or pass, towards the side, with at most this chance. */
function sumSeldomPassed(
  law: SizeLaw,
  n: number,
  { side, chance }: { side: Side; chance: number },
  steepest: number,
): number {
  const away = (distance: number): number => n * mean(law) + (side === 'large' ? distance : -distance);
  const seldom = (distance: number): boolean =>
    logSumBound([law], { n, sum: away(distance) }, side, steepest) <= Math.log(chance);
  // No sum is under 0: below it the search ends.
  let [low, high] = [0, 1];
  while (!seldom(high) && away(high) > 0) high *= 2;
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (seldom(middle)) high = middle;
    else low = middle;
  }
  return away(high);
}

const mean = (law: SizeLaw): number => law.reduce((sum, chance, size) => sum + size * chance, 0);
