import { type Amount, amountOf, basicComposition } from '../../../core/accounting/basic-composition.ts';
import { optimalEpsilon } from '../../../core/accounting/optimal-composition.ts';
import { isDrawable } from '../../../core/random/drawable-scale.ts';
import { compare, multiply, parseRational, type Rational, rational, ZERO } from '../../../core/rational/rational.ts';
import type { CertifiedRuns, RideCertificate } from '../certified-rides.ts';
import { isAtMost } from './exact-delta.ts';
import { certifyDelta } from './profile.ts';
import { byMechanism, type RunMechanism } from './ride-mechanism.ts';
import { treeStrategy } from './run-strategy.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { WEIGHT_BITS } from './weights.ts';

/**
 * What is wrong with a certificate of rides, a sentence each; empty when everything that it lists as re-checkable holds.
 * D1 is computed from the definition and not by rideChange. Throws RangeError for amounts that are no numbers. Cost: as
 * that of making it, without the search for the best profile.
 *
 * @contract C10
 */
export function rideProblems(certificate: RideCertificate): string[] {
  const [ride, run] = [amountOf(certificate), amountOf(certificate.run)];
  const { times, delta } = lossOfRide(certificate, run);
  const holds = compare(multiply(run.epsilon, times), ride.epsilon) <= 0 && isAtMost(delta, ride.delta, run.epsilon);
  return [
    ...(holds ? [] : ['A run loses more than is left of what is promised for a ride.']),
    ...certificate.runs.flatMap((one) => runProblems(certificate, one, run)),
  ];
}

/** What a ride loses when a run loses (ε', δ') with a ride more or less: `times`·ε' and whole − factor·e^ε'. */
function lossOfRide({ neighbours, counts }: RideCertificate, { delta }: Amount) {
  const of = (times: bigint): Rational => multiply(rational(times), delta);
  if (neighbours === 'add-remove') return { times: rational(1n), delta: { whole: delta, factor: ZERO } };
  return {
    times: rational(2n),
    delta: counts === 'doors' ? { whole: delta, factor: of(-1n) } : { whole: of(2n), factor: ZERO },
  };
}

function runProblems({ mechanism, counts, vehicles }: RideCertificate, one: CertifiedRuns, run: Amount): string[] {
  const name = `Runs of ${one.vehicle} with ${one.departures} departures`;
  const model = Object.hasOwn(vehicles, one.vehicle) ? vehicles[one.vehicle] : undefined;
  if (one.kind !== mechanism || model === undefined) return [`${name} are of another mechanism or vehicle.`];
  const problem = byMechanism(one, {
    'each-stop': (stops) => profileProblem(stops, model, run),
    tree: (tree) =>
      counts === 'doors' ? treeProblem({ ...tree, change: one.change }, run) : 'a tree takes boardings and alightings.',
  });
  return problem === null ? [] : [`${name}: ${problem}`];
}

/** All sums of a tree with noise of scale b lose D1/b, D1 being that of a ride more or less. */
function treeProblem(one: RunMechanism<'tree'> & Pick<CertifiedRuns, 'change'>, run: Amount): string | null {
  const scale = parseRational(one.scale);
  const change = rational(BigInt(largestChange(one)));
  if (!isDrawable(scale)) return 'noise of this scale cannot be drawn.';
  if (one.change !== undefined && compare(change, rational(BigInt(one.change))) !== 0) return 'D1 is another.';
  return compare(change, multiply(scale, run.epsilon)) > 0 ? 'the noise is too small for D1 and epsilon.' : null;
}

/** max ‖A·x‖₁ over rides: x = e_i, −e_j or e_i − e_j, A the matrix of the sums. */
function largestChange({ departures, arity }: { departures: number; arity: number }): number {
  const matrix = treeStrategy(departures, arity).sums.map(({ from, to }) =>
    Array.from({ length: departures }, (_, at) => Number(from <= at && at < to)),
  );
  let most = 0;
  for (let boarding = 0; boarding < departures; boarding += 1) {
    for (let alighting = boarding; alighting <= departures; alighting += 1) {
      // An alighting that is not seen, after the last departure, is no entry of x; one at the boarding leaves none.
      const off = alighting === boarding ? departures : alighting;
      most = Math.max(
        most,
        matrix.reduce((sum, row) => sum + Math.abs(row[boarding]! - (row[off] ?? 0)), 0),
      );
    }
  }
  return most;
}

function profileProblem(one: RunMechanism<'each-stop'>, model: VehicleModel, run: Amount): string | null {
  const stop = amountOf(one);
  const weights = one.weights.map((row) => row.map(BigInt));
  const whole = 1n << BigInt(WEIGHT_BITS);
  const isLaw = (row: readonly bigint[]): boolean =>
    row.length === model.categories.length &&
    row.every((weight) => weight >= 0n) &&
    row.reduce((sum, weight) => sum + weight, 0n) === whole;
  if (weights.length !== model.maximumCount + 1 || !weights.every(isLaw))
    return 'the weights are no probabilities of the categories for each count.';
  if (certifyDelta(weights, { ...stop, group: 1 }) === null) return 'the weights have more delta than a stop may have.';
  return isWithin(stop, one.departures, run) ? null : 'the stops together lose more than a run may.';
}

/** Is the composition of `departures` stops within what a run may lose, by the plain sum or by optimal composition? */
function isWithin(stop: Amount, departures: number, run: Amount): boolean {
  const sum = basicComposition(stop, departures);
  if (compare(sum.epsilon, run.epsilon) <= 0 && compare(sum.delta, run.delta) <= 0) return true;
  const epsilon = optimalEpsilon(stop, departures, run.delta);
  return epsilon !== null && compare(epsilon, run.epsilon) <= 0;
}
