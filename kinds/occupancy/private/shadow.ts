import { RELEASE_KEYS } from '../../../contracts/names.ts';
import type { ShadowWorld } from '../../../custodian/private-context.ts';
import { jsonBytes, sha256 } from '../../../services/stores/json-objects.ts';
import type { RunMechanism } from '../mechanism/ride-mechanism.ts';
import { type RunSampler, treeStatuses } from '../mechanism/run-statuses.ts';
import { chooseCounts, type ShadowOfRuns, shadowOfRides, shadowRuns } from '../mechanism/shadow-rides.ts';
import type { VehicleModel } from '../mechanism/vehicle-model.ts';
import { occupancyTableSchema } from '../occupancy-table.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import { countNumbers, type OccupancySeries, vehicleModels } from '../series.ts';
import type { PartitionCounts } from './run-counts.ts';

const PART = 'shadow';
const DAY = '2000-01-01';

/**
 * Sends made-up runs through the activity that draws every partition of every kind, in a deployment that is in memory
 * and that nobody else sees; then some trees with noise that is handed in.
 *
 * @contract C15
 */
export async function shadowOfOccupancy(
  world: ShadowWorld,
  series: OccupancySeries,
): Promise<{ runs: ShadowOfRuns[] }> {
  const models = vehicleModels(series);
  const mechanisms = await mechanismsOf(series);
  const draws = await drawMadeUp(world, series, mechanisms);
  /** Gives the runs that were drawn, each once. */
  const sampler =
    (mechanism: RunMechanism): RunSampler =>
    (_, counts) => {
      const passengers = 'boardings' in counts ? counts.boardings[0]! : counts.passengers[0]!;
      return draws.get(groupOf(mechanism, passengers))!.pop()!;
    };
  return { runs: shadowOfRides(mechanisms, models, world.context.random, { sampler, statuses: treeStatuses }) };
}

/** Runs of one shape whose passengers all board at the first departure. */
type MadeUpRuns = { group: string; mechanism: RunMechanism; passengers: number; names: string[] };

const groupOf = ({ vehicle, departures }: RunMechanism, passengers: number): string =>
  `${vehicle}-${departures}-${passengers}`;

const makeUpRuns = (models: ReadonlyMap<string, VehicleModel>, mechanisms: readonly RunMechanism[]): MadeUpRuns[] =>
  mechanisms.flatMap((mechanism) =>
    chooseCounts(mechanism, models.get(mechanism.vehicle)!).map((passengers) => {
      const group = groupOf(mechanism, passengers);
      const names = Array.from({ length: shadowRuns(mechanism) }, (_, run) => `${group}-${run}`);
      return { group, mechanism, passengers, names };
    }),
  );

/** Statuses, as places of categories, of made-up runs, by their group. */
async function drawMadeUp(world: ShadowWorld, series: OccupancySeries, mechanisms: readonly RunMechanism[]) {
  const models = vehicleModels(series);
  const groups = makeUpRuns(models, mechanisms);
  const timetable = Buffer.from(makeUpTimetable(groups), 'utf8');
  await world.context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(timetable)), timetable);
  const shadow: OccupancySeries = {
    ...series,
    series: PART,
    parts: [PART],
    timetable: sha256(timetable),
    timeZone: 'UTC',
    window: { days: 1, firstWeekday: 'saturday', lagDays: 0 },
  };
  const release = { series: PART, window: DAY, version: 1, seriesDigest: await world.sign(shadow) };
  await world.charge(release, shadow);
  const counts = jsonBytes(makeUpCounts(groups, countNumbers(series)));
  const bytes = await world.draw(release, { part: PART, day: DAY }, counts);
  const { runs } = occupancyTableSchema.parse(JSON.parse(bytes.toString('utf8')));
  const statuses = new Map(runs.map((run) => [run.run, run.statuses]));
  return new Map(
    groups.map(({ group, mechanism, names }) => {
      const { categories } = models.get(mechanism.vehicle)!;
      return [group, names.map((name) => statuses.get(name)!.map((status) => categories.indexOf(status)))];
    }),
  );
}

/** What was counted on made-up runs, as bin stores it. */
function makeUpCounts(groups: readonly MadeUpRuns[], numbers: 1 | 2): PartitionCounts {
  const runs = groups.flatMap(({ mechanism, passengers, names }): PartitionCounts['runs'] => {
    const zeros = Array.from({ length: mechanism.departures }, () => 0);
    const counts = numbers === 1 ? [zeros.map(() => passengers)] : [zeros.with(0, passengers), zeros];
    return names.map((name) => [name, counts]);
  });
  return { format: 'opaline-occupancy-counts/1', runs };
}

function makeUpTimetable(groups: readonly MadeUpRuns[]): string {
  const rows = groups.flatMap(({ mechanism: { vehicle, departures }, names }) => {
    const stops = Array.from({ length: departures }, (_, place) => `${place},stop-${place},10:00,${vehicle}`);
    return names.flatMap((name) => stops.map((stop) => `${PART},${name},${stop}`));
  });
  return ['part,run,sequence,stop,departure,vehicle', ...rows, ''].join('\n');
}
