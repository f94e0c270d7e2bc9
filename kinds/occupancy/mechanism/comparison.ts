import type { Neighbours } from '../../../contracts/certificate.ts';
import type { Amount } from '../../../core/accounting/basic-composition.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { formatRational } from '../../../core/rational/rational.ts';
import { perStopGuarantee } from './per-stop.ts';
import { optimalProfile } from './profile.ts';
import { runGuarantee, treeScale } from './ride-mechanism.ts';
import { countsAfter, treeStatuses } from './run-statuses.ts';
import { bestTree, type RunStrategy, treeStrategy } from './run-strategy.ts';
import { drawCategory } from './sampler.ts';
import { type DoorCounts, simulateRun } from './simulated-run.ts';
import { trueCategory, type VehicleModel } from './vehicle-model.ts';

export type ComparisonRequest = Amount & {
  readonly model: VehicleModel;
  /** Departures of a run with a status each; a ride may be aboard at all of them. */
  readonly departures: number;
  readonly neighbours: Neighbours;
  /** Simulated runs. */
  readonly runs: number;
};

/** How well the statuses of one mechanism did, all of them (ε, δ)-private for one ride of one run. */
export type MechanismOutcome = {
  readonly mechanism: 'each stop by itself' | 'binary tree' | 'best tree';
  /** What it draws with, in words. */
  readonly noise: string;
  /** Share of departures whose status is the true one. */
  readonly rightShare: number;
  /** Mean distance between published and true status, in categories. */
  readonly meanDistance: number;
};

/** Statuses of a run, as places of categories, from the true count at each departure and what the doors count. */
type Mechanism = Pick<MechanismOutcome, 'mechanism' | 'noise'> & {
  statuses(counts: readonly number[], doors: DoorCounts): number[];
};

/**
 * Simulated runs, whose statuses are made private for a ride's whole run by each mechanism: a profile for each stop,
 * composed over all stops (what is published today, with the loss stated), and two trees on boardings minus alightings.
 */
export function compareMechanisms(
  request: ComparisonRequest,
  source: RandomSource,
  solve: LinearProgramSolver,
): MechanismOutcome[] {
  const { model, departures, runs } = request;
  const { arity, ...strategy } = bestTree(departures);
  const best = tree(request, strategy, source);
  const mechanisms: Mechanism[] = [
    eachStop(request, source, solve),
    { mechanism: 'binary tree', ...tree(request, treeStrategy(departures, 2), source) },
    { mechanism: 'best tree', ...best, noise: `${best.noise}, ${arity} children a parent` },
  ];
  const tallies = mechanisms.map(() => ({ right: 0, distance: 0 }));
  for (let run = 0; run < runs; run += 1) {
    const doors = simulateRun(model, departures, source);
    const changes = doors.boardings.map((count, departure) => count - doors.alightings[departure]!);
    const counts = countsAfter(model, changes);
    mechanisms.forEach(({ statuses }, place) => {
      statuses(counts, doors).forEach((status, departure) => {
        const off = Math.abs(status - trueCategory(model, counts[departure]!));
        tallies[place]!.right += off === 0 ? 1 : 0;
        tallies[place]!.distance += off;
      });
    });
  }
  return mechanisms.map(({ mechanism, noise }, place) => ({
    mechanism,
    noise,
    rightShare: tallies[place]!.right / (runs * departures),
    meanDistance: tallies[place]!.distance / (runs * departures),
  }));
}

function eachStop(request: ComparisonRequest, source: RandomSource, solve: LinearProgramSolver): Mechanism {
  const { model, departures } = request;
  const stop = perStopGuarantee(departures, runGuarantee({ ...request, counts: 'passengers' }));
  const profile = optimalProfile(model, { ...stop, group: 1, objective: { kind: 'log-likelihood' } }, solve);
  return {
    mechanism: 'each stop by itself',
    noise: `a profile of ε ${formatRational(stop.epsilon)} for each stop`,
    statuses: (counts) => counts.map((count) => drawCategory(profile.weights[count]!, source)),
  };
}

function tree({ model, departures, ...privacy }: ComparisonRequest, strategy: RunStrategy, source: RandomSource) {
  const scale = treeScale(strategy, departures, runGuarantee({ ...privacy, counts: 'doors' }));
  const noise = discreteLaplace(scale, source);
  return {
    noise: `discrete Laplace of scale ${formatRational(scale)} for each sum of changes`,
    statuses: (_: readonly number[], doors: DoorCounts) => treeStatuses(strategy, model, doors, noise),
  };
}
