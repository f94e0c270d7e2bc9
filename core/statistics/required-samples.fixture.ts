import { smallestBetween } from '../search/smallest-integer.ts';
import { type Claim, epsilonSuffices, eventSuffices, type Goal, type NeighbourChances } from './required-samples.ts';
import { logSumBound, type Side, type SizeLaw } from './sum-test.ts';

// How many samples a test needs. Nothing draws by these numbers: tests show with them that what is drawn is enough.

/** No search goes beyond this many samples. */
const MOST = 2 ** 24;

/**
 * A number of samples that suffices, and that is the smallest except for the saw-tooth of exact tests (one sample more
 * can cost a little power). Throws RangeError when not even 2^24 do.
 */
function smallestSufficient(suffices: (samples: number) => boolean): number {
  let high = 1;
  while (!suffices(high)) {
    high *= 2;
    if (high > MOST) throw new RangeError('no number of samples up to 2^24 reaches this power');
  }
  return smallestBetween(high / 2, high, suffices);
}

/**
 * Samples for the exact binomial test of an event whose chance should be `nominal` and is `actual`: with them the test
 * rejects with at least the power asked for.
 */
export const samplesForEvent = (nominal: number, actual: number, goal: Goal): number =>
  smallestSufficient((samples) => eventSuffices(samples, nominal, actual, goal));

/**
 * Runs on each of two neighbouring inputs, for epsilonTest to reject `claimed` when an event has the chances `present`
 * and `absent` on them.
 */
export const samplesForEpsilon = (chances: NeighbourChances, claim: Claim, goal: Goal): number =>
  smallestSufficient((runs) => epsilonSuffices(runs, chances, claim, goal));

/**
 * Samples for the two-sided sum test (sum-test.ts at half the level on each side) to notice that sizes have the law
 * `actual` where `nominal` was declared. Both errors are bounded by Chernoff, so that the number is on the safe side.
 */
export function samplesForSum(nominal: SizeLaw, actual: SizeLaw, { level, power }: Goal, steepest: number): number {
  const [side, other] = actual.mean < nominal.mean ? (['small', 'large'] as const) : (['large', 'small'] as const);
  return smallestSufficient((n) => {
    const sum = sumSeldomPassed(actual, n, { side: other, chance: 1 - power }, steepest);
    return logSumBound(nominal, { n, sum }, side, steepest) <= Math.log(level / 2);
  });
}

/** The sum nearest to its mean that n sizes reach or pass, towards the side, with at most this chance. */
function sumSeldomPassed(
  law: SizeLaw,
  n: number,
  { side, chance }: { side: Side; chance: number },
  steepest: number,
): number {
  const away = (distance: number): number => n * law.mean + (side === 'large' ? distance : -distance);
  const seldom = (distance: number): boolean =>
    logSumBound(law, { n, sum: away(distance) }, side, steepest) <= Math.log(chance);
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
