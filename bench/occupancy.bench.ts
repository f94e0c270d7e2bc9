import { fileURLToPath } from 'node:url';
import { parseRational } from '../core/rational/rational.ts';
import { readConfiguration } from '../kinds/occupancy/commands/configuration.ts';
import { compareMechanisms } from '../kinds/occupancy/mechanism/comparison.ts';
import { optimalTable } from '../kinds/occupancy/mechanism/optimal-table.ts';
import { optimalProfile } from '../kinds/occupancy/mechanism/profile.ts';
import { certifyProfile } from '../kinds/occupancy/mechanism/profile-certificate.ts';
import { formatProfile } from '../kinds/occupancy/mechanism/profile-csv.ts';
import type { VehicleModel } from '../kinds/occupancy/mechanism/vehicle-model.ts';
import { loadSolver } from '../services/linear-solver.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { writeMeasured } from './measured-parts.ts';
import { markdownTable, sumOf } from './measuring.ts';

/**
 * Time of the certified profiles of the example's two vehicle models, against linear programming for the same tables,
 * which certifies nothing; and how often statuses are right when a whole ride is private, on simulated runs. Run with
 * `node bench/occupancy.bench.ts`; it takes a minute and writes a table of docs/occupancy.md and one of docs/utility.md:
 * the times are those of the machine, the shares are always the same.
 */
const CONFIGURATION = fileURLToPath(new URL('../examples/occupancy/configuration.yaml', import.meta.url));
const SEED = 2026;
const RUNS = 400;
const DEPARTURES = [10, 20, 40];
const EPSILONS = ['2', '4', '8'];
/** Both vehicle models together: milliseconds. */
const MOST_MILLISECONDS = 1000;

const solve = await loadSolver();
const { vehicles, epsilon, delta } = await readConfiguration(CONFIGURATION);
const nameOf = ({ outputFilename }: (typeof vehicles)[number]): string => outputFilename.replace('.csv', '');

const LIKELIHOOD = { kind: 'log-likelihood' } as const;

function certify(model: VehicleModel): void {
  const profile = optimalProfile(model, { epsilon, delta, group: 1, objective: LIKELIHOOD }, solve);
  certifyProfile(profile, sha256(formatProfile(model.categories, profile.weights)));
}

/** Milliseconds of one run: the best of three, after one to warm up. */
function milliseconds(run: () => unknown): number {
  const times = [0, 1, 2, 3].map(() => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  });
  return Math.min(...times.slice(1));
}

const rows = vehicles.map((vehicle) => ({
  name: nameOf(vehicle),
  ours: milliseconds(() => certify(vehicle.model)),
  program: milliseconds(() => optimalTable(vehicle.model, { epsilon: 1, delta: 1e-5 }, 1, LIKELIHOOD, solve)),
}));
const total = sumOf(rows.map(({ ours }) => ours));
if (total > MOST_MILLISECONDS) throw new Error(`both profiles took ${total} ms`);
const times = markdownTable(
  ['vehicle model', 'profile and certificate, ms', 'linear program alone, ms', 'ratio'],
  rows.map(({ name, ours, program }) => [name, ours.toFixed(1), program.toFixed(0), (program / ours).toFixed(0)]),
);

const statuses = markdownTable(
  ['vehicle model', 'departures', 'ε of a ride', 'each stop by itself', 'binary tree', 'best tree'],
  DEPARTURES.flatMap((departures) =>
    EPSILONS.flatMap((amount) =>
      vehicles.map((vehicle) => {
        const request = { model: vehicle.model, departures, epsilon: parseRational(amount), delta, runs: RUNS };
        const outcomes = compareMechanisms({ ...request, neighbours: 'add-remove' }, seededSource(SEED), solve);
        const shares = outcomes.map(({ rightShare }) => `${(100 * rightShare).toFixed(1)} %`);
        return [nameOf(vehicle), String(departures), amount, ...shares];
      }),
    ),
  ),
);
const measures = ['kinds/occupancy/mechanism', 'core/linear-program', 'core/rational'];
writeMeasured('occupancy', { times }, { measures });
writeMeasured('utility', { statuses }, { measures });
