import { computeOnce } from '../../../core/memory/function-cache.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { differenceLimit } from '../../../counts/readers/changed-rows.ts';
import { byMechanism, type RunMechanism } from './ride-mechanism.ts';
import { treeStrategy } from './run-strategy.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { WEIGHT_BITS } from './weights.ts';

/** Room for rounding when products of weights are added up in floating point. */
const ROUNDING = 1e-12;

/**
 * Passengers by which two numbers differ at least that have these statuses, given as places of categories: 0 of one
 * status, 1 of two that adjoin.
 */
export function statusGap({ minimumCounts }: VehicleModel, one: number, other: number): number {
  const [low, high] = one < other ? [one, other] : [other, one];
  return low === high ? 0 : minimumCounts[high]! - minimumCounts[low + 1]! + 1;
}

/**
 * For each departure of a run of this mechanism: statuses of two independent draws with a gap of more passengers than
 * this come out with at most this chance when the run has not changed, whatever its passengers are
 * (changed-statuses.proof.md). Cost: for a profile O(passengers · categories²), for a tree that of differenceLimit for
 * each number of sums.
 *
 * @contract C19
 */
export const gapLimits = (mechanism: RunMechanism, model: VehicleModel, chance: number): number[] =>
  byMechanism(mechanism, {
    'each-stop': ({ departures, weights }) => new Array<number>(departures).fill(profileLimit(weights, model, chance)),
    tree: (tree) => treeLimits(tree, chance),
  });

function treeLimits({ scale, departures, arity }: RunMechanism<'tree'>, chance: number): number[] {
  const noise = { model: 'discrete-laplace', scale: toNumber(parseRational(scale)) } as const;
  const limitOf = computeOnce((noises: number) => differenceLimit(noise, noises, chance));
  return treeStrategy(departures, arity).prefixes.map(({ length }) => limitOf(length));
}

/** The smallest gap of two statuses that is passed with at most this chance, for every number of passengers. */
function profileLimit(weights: readonly (readonly string[])[], model: VehicleModel, chance: number): number {
  const places = model.categories.map((_, place) => place);
  const pairs = places.flatMap((one) => places.slice(one + 1).map((other) => ({ one, other })));
  const gaps = pairs.map((pair) => ({ ...pair, gap: statusGap(model, pair.one, pair.other) }));
  const chances = weights.map((row) => row.map((weight) => Number(weight) / 2 ** WEIGHT_BITS));
  const tailOf = (limit: number): number =>
    chances
      .map((row) =>
        gaps.reduce((sum, { one, other, gap }) => (gap > limit ? sum + 2 * row[one]! * row[other]! : sum), 0),
      )
      .reduce((most, sum) => Math.max(most, sum), 0);
  const limits = [0, ...gaps.map(({ gap }) => gap)].sort((a, b) => a - b);
  return limits.find((limit) => tailOf(limit) * (1 + ROUNDING) <= chance)!;
}
