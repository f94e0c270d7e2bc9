import type { Partition } from '../../../contracts/names.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import type { RunMechanism } from '../mechanism/ride-mechanism.ts';
import { type RunSampler, runSampler } from '../mechanism/run-statuses.ts';
import type { VehicleModel } from '../mechanism/vehicle-model.ts';
import type { OccupancyTable } from '../occupancy-table.ts';
import type { ScheduledRun } from '../timetable.ts';
import { type PartitionCounts, runCountsOf } from './run-counts.ts';

/** What draws the statuses of a series. */
export type StatusMechanism = {
  models: ReadonlyMap<string, VehicleModel>;
  mechanisms: readonly RunMechanism[];
  source: RandomSource;
};

/** Draws one status for each scheduled departure of a partition; each call draws again. */
export function drawStatuses(
  partition: Partition,
  runs: readonly ScheduledRun[],
  counts: PartitionCounts,
  { models, mechanisms, source }: StatusMechanism,
): OccupancyTable {
  const samplers = new Map<RunMechanism, RunSampler>();
  const numbers = new Map(counts.runs);
  const draws = runs.map(({ run, vehicle, departures }) => {
    const mechanism = mechanisms.find((one) => one.vehicle === vehicle && one.departures === departures.length)!;
    const sampler = samplers.get(mechanism) ?? runSampler(mechanism, source);
    samplers.set(mechanism, sampler);
    const model = models.get(vehicle)!;
    const places = sampler(model, runCountsOf(numbers.get(run)!));
    return { run, statuses: places.map((place) => model.categories[place]!) };
  });
  return {
    format: 'opaline-occupancy-table/1',
    ...partition,
    mechanisms: mechanisms.filter((one) => samplers.has(one)),
    runs: draws as OccupancyTable['runs'],
  };
}
