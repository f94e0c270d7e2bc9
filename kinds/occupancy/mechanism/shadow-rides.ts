import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { byMechanism, type RunMechanism } from './ride-mechanism.ts';
import type { runSampler, treeStatuses } from './run-statuses.ts';
import { type ChangeSum, treeStrategy } from './run-strategy.ts';
import type { DoorCounts } from './simulated-run.ts';
import type { VehicleModel } from './vehicle-model.ts';

/** How often each status was drawn at one departure of made-up runs with this number of passengers at it. */
export type StatusTally = { passengers: number; statuses: number[] };

/**
 * What a mechanism did to made-up runs (C15); nothing in it depends on data. `noise` is there for a tree: noise values
 * that it asked for in one run, and rides (of how many) whose statuses came out differently with noise that makes up
 * for them; `shift` is the most that all noise of a run had to move for that.
 */
export type ShadowOfRuns = {
  mechanism: RunMechanism;
  tallies: StatusTally[];
  noise: { asked: number; rides: number; differing: number; shift: number } | null;
};

/** What is under test: the functions that draw every release. */
export type DrawnBy = { sampler: typeof runSampler; statuses: typeof treeStatuses };
type Drawing = DrawnBy & { source: RandomSource };

/** Statuses that are looked at of each count: half the noise that there should be is noticed with near certainty. */
const STATUSES = 600;
/** Rides that are tried in a tree. */
const RIDES = 40;

/**
 * Runs what draws every release on made-up runs: how often each status comes out about the boundaries of the categories,
 * and for a tree whether one ride more, with noise that is less by what it changes, gives the same statuses.
 *
 * @contract C15
 */
export const shadowOfRides = (
  mechanisms: readonly RunMechanism[],
  models: ReadonlyMap<string, VehicleModel>,
  source: RandomSource,
  drawnBy: DrawnBy,
): ShadowOfRuns[] =>
  mechanisms.map((mechanism) => {
    const model = models.get(mechanism.vehicle)!;
    return {
      mechanism,
      tallies: chooseCounts(mechanism, model).map((passengers) => ({
        passengers,
        statuses: statusTally(mechanism, model, passengers, { ...drawnBy, source }),
      })),
      noise: byMechanism(mechanism, {
        'each-stop': () => null,
        tree: (tree) => countRides(tree, model, { ...drawnBy, source }),
      }),
    };
  });

/** Departures of a run whose statuses are looked at. */
const countDepartures = (mechanism: RunMechanism): number =>
  byMechanism(mechanism, { 'each-stop': ({ departures }) => departures, tree: () => 1 });

/** Runs that are drawn for each count. */
export const shadowRuns = (mechanism: RunMechanism): number => Math.ceil(STATUSES / countDepartures(mechanism));

/** Counts that show most: an empty vehicle, and one that is over a boundary by about the noise. */
export function chooseCounts(mechanism: RunMechanism, { minimumCounts, maximumCount }: VehicleModel): number[] {
  const over = byMechanism(mechanism, {
    'each-stop': () => 0,
    tree: ({ scale }) => Math.round(toNumber(parseRational(scale))),
  });
  const counts = minimumCounts.slice(1, 3).map((minimum) => Math.min(maximumCount, minimum + over));
  return [...new Set([0, ...counts, maximumCount])];
}

/** Runs whose passengers all board at the first departure. Of a tree that one is looked at: its count is one sum. */
function statusTally(mechanism: RunMechanism, model: VehicleModel, passengers: number, { sampler, source }: Drawing) {
  const tally = model.categories.map(() => 0);
  const draw = sampler(mechanism, source);
  const counts = boardAt(mechanism.departures, 0, passengers);
  const departures = countDepartures(mechanism);
  for (let run = 0; run < shadowRuns(mechanism); run += 1)
    for (const status of draw(model, counts).slice(0, departures)) tally[status]! += 1;
  return tally;
}

const boardAt = (departures: number, at: number, passengers: number): DoorCounts => ({
  boardings: Array.from({ length: departures }, (_, departure) => (departure === at ? passengers : 0)),
  alightings: Array.from({ length: departures }, () => 0),
});

/** Noise with these values in their order, from the first again after the last; `asked`: how many were drawn. */
function replayNoise(values: readonly number[]) {
  const noise = { asked: 0, draw: (): number => values[noise.asked++ % values.length] ?? 0 };
  return noise;
}

function countRides(mechanism: RunMechanism<'tree'>, model: VehicleModel, { statuses, source }: Drawing) {
  const { departures, arity } = mechanism;
  const strategy = treeStrategy(departures, arity);
  const law = discreteLaplace(parseRational(mechanism.scale), source);
  const tally = { asked: 0, rides: 0, differing: 0, shift: 0 };
  const base = boardAt(departures, 0, Math.floor(model.maximumCount / 2));
  for (let ride = 0; ride < RIDES; ride += 1) {
    const on = (7 * ride) % departures;
    const off = on + 1 + ((5 * ride) % (departures - on));
    const more = withRide(base, on, off);
    const noise = strategy.sums.map(() => law.draw());
    const shifts = strategy.sums.map((sum, place) => {
      const change = Number(holds(sum, on)) - Number(holds(sum, off));
      return { shift: Math.abs(change), value: noise[place]! - change };
    });
    const [one, other] = [replayNoise(noise), replayNoise(shifts.map(({ value }) => value))];
    const without = statuses(strategy, model, base, one).join();
    tally.rides += 1;
    tally.differing += statuses(strategy, model, more, other).join() === without ? 0 : 1;
    tally.asked = Math.max(tally.asked, one.asked, other.asked);
    tally.shift = Math.max(
      tally.shift,
      shifts.reduce((sum, { shift }) => sum + shift, 0),
    );
  }
  return tally;
}

const holds = ({ from, to }: ChangeSum, departure: number): boolean => from <= departure && departure < to;

/** One ride more; one that alights after the last departure is not seen to. */
const withRide = ({ boardings, alightings }: DoorCounts, on: number, off: number): DoorCounts => ({
  boardings: boardings.map((count, departure) => count + Number(departure === on)),
  alightings: alightings.map((count, departure) => count + Number(departure === off)),
});
