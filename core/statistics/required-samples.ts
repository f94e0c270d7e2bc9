import { smallestBetween } from '../search/smallest-integer.ts';
import { atLeast, atMost, binomialTest, type Proportion, proportion } from './binomial.ts';
import { epsilonTest, type NeighbourFrequencies } from './epsilon-lower-bound.ts';
import { TEST_LEVEL } from './holm.ts';

/** A test at this level has to catch what it is for with at least this power. */
export type Goal = { readonly level: number; readonly power: number };

/** What the samples of an audit are planned for: as many tests as TEST_LEVEL allows, each missing one fault in 1,000. */
export const PLANNED: Goal = { level: TEST_LEVEL, power: 0.999 };

/** The smallest count that P[K > count] ≤ missed, or the largest with P[K < count] ≤ missed, by bisection. */
const quantile = (samples: number, chance: Proportion, risk: number, side: 'upper' | 'lower'): number =>
  smallestBetween(-1, samples, (count) =>
    side === 'upper' ? atLeast(count + 1, samples, chance) <= risk : atMost(count, samples, chance) > risk,
  );

/**
 * Does the exact binomial test of an event whose chance should be `nominal` and is `actual` reject with at least the
 * power asked for, from this many samples?
 */
export function eventSuffices(samples: number, nominal: number, actual: number, { level, power }: Goal): boolean {
  const side = actual > nominal ? 'lower' : 'upper';
  const worst = quantile(samples, proportion(actual), 1 - power, side);
  return binomialTest(worst, samples, proportion(nominal), 'either') <= level;
}

/** Chances of an event on two neighbouring inputs. */
export type NeighbourChances = { present: number; absent: number };
export type Claim = { claimed: number; delta: number };

/**
 * Does epsilonTest reject `claimed` when an event has the chances `present` and `absent` on two neighbouring inputs,
 * from this many runs on each?
 */
export function epsilonSuffices(
  runs: number,
  { present, absent }: NeighbourChances,
  { claimed, delta }: Claim,
  { level, power }: Goal,
): boolean {
  const risk = (1 - power) / 2;
  const frequencies: NeighbourFrequencies = {
    present: { events: quantile(runs, proportion(present), risk, 'lower'), runs },
    absent: { events: quantile(runs, proportion(absent), risk, 'upper'), runs },
  };
  return epsilonTest(frequencies, delta, claimed) <= level;
}
