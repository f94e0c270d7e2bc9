import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import type { NoiseSampler } from '../../../core/random/table-sampler.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { byMechanism, type RunMechanism } from './ride-mechanism.ts';
import { noisyCounts, type RunStrategy, treeStrategy } from './run-strategy.ts';
import { drawCategory } from './sampler.ts';
import { clampChanges, type DoorCounts } from './simulated-run.ts';
import { clampCount, trueCategory, type VehicleModel } from './vehicle-model.ts';

/** What was counted at each departure of a run: passengers aboard, or what the doors count. */
export type RunCounts = { readonly passengers: readonly number[] } | DoorCounts;

/** Draws the statuses of one run, as places of categories, one for each departure; each call draws again. */
export type RunSampler = (model: VehicleModel, counts: RunCounts) => number[];

/**
 * The sampler of a mechanism; what it needs is made once for many runs. A tree takes what the doors count, and throws
 * RangeError for passengers aboard, whose clamping would change more than one ride does.
 */
export const runSampler = (mechanism: RunMechanism, source: RandomSource): RunSampler =>
  byMechanism<RunSampler>(mechanism, {
    tree: ({ departures, arity, scale }) => {
      const strategy = treeStrategy(departures, arity);
      const noise = discreteLaplace(parseRational(scale), source);
      return (model, counts) => treeStatuses(strategy, model, doorsOf(counts), noise);
    },
    'each-stop': (one) => {
      const weights = one.weights.map((row) => row.map(BigInt));
      return (model, counts) => passengersAboard(model, counts).map((count) => drawCategory(weights[count]!, source));
    },
  });

/** The statuses of a run by a tree; all that the counts do to them goes through the noisy sums. */
export function treeStatuses(
  strategy: RunStrategy,
  model: VehicleModel,
  doors: DoorCounts,
  noise: Pick<NoiseSampler, 'draw'>,
): number[] {
  const counts = noisyCounts(strategy, clampChanges(model, doors), noise);
  return counts.map((count) => trueCategory(model, clampCount(model, count)));
}

function doorsOf(counts: RunCounts): DoorCounts {
  if ('boardings' in counts) return counts;
  throw new RangeError('a tree is drawn from boardings and alightings');
}

/**
 * Passengers at each departure, clamped to 0 and the largest count of the vehicle. One ride changes each of them by at
 * most one: of door counts, boardings and alightings are clamped each by itself before they are added up.
 */
const passengersAboard = (model: VehicleModel, counts: RunCounts): number[] =>
  'passengers' in counts
    ? counts.passengers.map((count) => clampCount(model, count))
    : countsAfter(model, clampChanges(model, counts));

/** Passengers after each of these changes, as far as the vehicle has room for them. */
export function countsAfter(model: VehicleModel, changes: readonly number[]): number[] {
  let aboard = 0;
  return changes.map((change) => {
    aboard += change;
    return clampCount(model, aboard);
  });
}
