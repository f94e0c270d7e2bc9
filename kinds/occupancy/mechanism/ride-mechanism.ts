import type { Neighbours } from '../../../contracts/certificate.ts';
import { type Amount, type AmountText, formatAmount } from '../../../core/accounting/basic-composition.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { expBounds } from '../../../core/rational/interval.ts';
import {
  add,
  divide,
  formatRational,
  multiply,
  ONE,
  type Rational,
  rational,
} from '../../../core/rational/rational.ts';
import { perStopGuarantee } from './per-stop.ts';
import { optimalProfile } from './profile.ts';
import { bestTree, type RunStrategy, rideChange } from './run-strategy.ts';
import type { VehicleModel } from './vehicle-model.ts';

/**
 * How the statuses of a run are made private for a ride. `each-stop`: a profile for each departure, composed over the
 * run. `tree`: noise on sums of boardings minus alightings, and the category of the noisy count.
 */
export const RIDE_MECHANISM_NAMES = ['each-stop', 'tree'] as const;
export type RideMechanismName = (typeof RIDE_MECHANISM_NAMES)[number];

/** What an event counts at a departure: passengers aboard, or who goes through the doors. */
export const RIDE_COUNTS = ['passengers', 'doors'] as const;
export type RideCounts = (typeof RIDE_COUNTS)[number];

/** A guarantee for one ride, and what it depends on besides the mechanism. */
export type RideGuarantee = Amount & { readonly neighbours: Neighbours; readonly counts: RideCounts };

/** What is promised for one ride, over all runs of a release. */
export type RidePrivacy = RideGuarantee & { readonly mechanism: RideMechanismName };

/** Runs that are drawn alike: of the same vehicle model, with as many departures. */
export type RunShape = { readonly vehicle: string; readonly departures: number };

/** What a run is drawn with, by mechanism; amounts exact, probabilities weight/2^40. */
type DrawnWith = {
  'each-stop': { epsilon: string; delta: string; weights: string[][] };
  tree: { arity: number; scale: string };
};

/** What all runs of one shape are drawn with; public. */
export type RunMechanism<Name extends RideMechanismName = RideMechanismName> = {
  [Each in Name]: { kind: Each; vehicle: string; departures: number } & DrawnWith[Each];
}[Name];

/** Something for every mechanism: the compiler shows whoever adds a mechanism where it is missing. */
type ByMechanism<Result> = { readonly [Name in RideMechanismName]: (one: RunMechanism<Name>) => Result };

/** What the table has for the mechanism of these runs. */
export const byMechanism = <Result>(one: RunMechanism, table: ByMechanism<Result>): Result =>
  (table[one.kind] as (of: RunMechanism) => Result)(one);

/** Bits of the bound on e^ε', which is rounded up to a thousandth. */
const GROWTH_BITS = 64;
const THOUSAND = rational(1000n);
const TWO = rational(2n);

/**
 * What one run may lose with a ride more or less. A ride that is replaced is two such steps, on two runs or on one: each
 * has half of ε, and so much of δ that both steps together have δ at most. Proof: ride-mechanism.proof.md.
 *
 * @contract ride-guarantee
 */
export function runGuarantee({ epsilon, delta, neighbours, counts }: RideGuarantee): Amount {
  if (neighbours === 'add-remove') return { epsilon, delta };
  const half = divide(epsilon, TWO);
  return { epsilon: half, delta: divide(delta, deltaFactor(half, counts)) };
}

/** What a release loses of a ride that is replaced, when a run loses this with a ride more or less. */
export const composeSteps = ({ epsilon, delta }: Amount, counts: RideCounts): Amount => ({
  epsilon: multiply(epsilon, TWO),
  delta: multiply(delta, deltaFactor(epsilon, counts)),
});

/** δ of a ride that is replaced, divided by δ' of a run: 2, or 1 + e^ε' where one count may change by two. */
function deltaFactor(epsilon: Rational, counts: RideCounts): Rational {
  if (counts === 'passengers') return TWO;
  const { numerator, denominator } = multiply(add(ONE, expBounds(epsilon, GROWTH_BITS).upper), THOUSAND);
  return divide(rational((numerator + denominator - 1n) / denominator), THOUSAND);
}

/** Scale of the noise on each sum of a run: D1 of a ride more or less, divided by what the run may lose. */
export const treeScale = (strategy: RunStrategy, departures: number, run: Amount): Rational =>
  divide(rational(BigInt(rideChange(strategy, departures))), run.epsilon);

/**
 * The mechanism of each shape, in their order. Throws CERTIFICATE_IMPOSSIBLE as optimalProfile does. Cost: for a tree
 * O(departures⁴) in the worst case, some milliseconds for 50; for each stop a profile and eight compositions.
 */
export const runMechanisms = (
  privacy: RidePrivacy,
  shapes: readonly RunShape[],
  models: ReadonlyMap<string, VehicleModel>,
  solve: LinearProgramSolver,
): RunMechanism[] => MAKERS[privacy.mechanism](privacy, shapes, models, solve);

type Maker = typeof runMechanisms;

/** A profile for each departure of each shape, in their order. */
const profileMechanisms: Maker = (privacy, shapes, models, solve) => {
  const run = runGuarantee(privacy);
  const stopOf = computeOnce((departures: number) => perStopGuarantee(departures, run));
  return shapes.map(({ vehicle, departures }): RunMechanism => {
    const stop = stopOf(departures);
    const request = { ...stop, group: 1, objective: { kind: 'log-likelihood' } } as const;
    const { weights } = optimalProfile(models.get(vehicle)!, request, solve);
    return {
      kind: 'each-stop',
      vehicle,
      departures,
      ...formatAmount(stop),
      weights: weights.map((row) => row.map(String)),
    };
  });
};

/** The tree of each shape, in their order. */
export function treeMechanisms(privacy: RidePrivacy, shapes: readonly RunShape[]): RunMechanism[] {
  const run = runGuarantee(privacy);
  const tree = computeOnce((departures: number) => {
    const { arity, ...strategy } = bestTree(departures);
    return { arity, scale: formatRational(treeScale(strategy, departures, run)) };
  });
  return shapes.map(({ vehicle, departures }) => ({ kind: 'tree', vehicle, departures, ...tree(departures) }));
}

const MAKERS: Readonly<Record<RideMechanismName, Maker>> = { 'each-stop': profileMechanisms, tree: treeMechanisms };

/**
 * Exact ε and δ that a ledger charges for statuses when its population counts by this neighbour relation: what they were
 * drawn for, or else what a run may lose with a ride more or less, and what follows from it when a ride is replaced
 * (C12). Proof: ride-mechanism.proof.md.
 *
 * @contract C12
 */
export function rideCost(guarantee: RideGuarantee, relation: Neighbours): AmountText {
  const run = runGuarantee(guarantee);
  if (relation === guarantee.neighbours) return formatAmount(guarantee);
  return formatAmount(relation === 'replace-one' ? composeSteps(run, guarantee.counts) : run);
}
