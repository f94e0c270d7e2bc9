import { z } from 'zod';
import type { RunCounts } from '../mechanism/run-statuses.ts';
import type { ScheduledRun } from '../timetable.ts';
import type { VehicleEvent } from './events.ts';

/**
 * What was counted on the runs of one partition: for each departure and each number of an event the largest that was
 * reported, null where there was no event. Double deliveries change nothing.
 */
export type PartitionTally = Map<string, (number | null)[][]>;

/** A tally of runs without any event; every scheduled run is there, whatever the data holds (C4). */
export const emptyTally = (runs: readonly ScheduledRun[], numbers: number): PartitionTally =>
  new Map(runs.map(({ run, departures }) => [run, Array.from({ length: numbers }, () => departures.map(() => null))]));

/** Takes an event up. Of several events of one departure the largest numbers count. */
export function tallyEvent(tally: PartitionTally, { run, departure, numbers }: VehicleEvent): void {
  const counts = tally.get(run.run);
  if (!counts) return;
  for (const [place, number] of numbers.entries())
    counts[place]![departure] = Math.max(number, counts[place]![departure] ?? 0);
}

export const partitionCountsSchema = z.strictObject({
  format: z.literal('opaline-occupancy-counts/1'),
  /** By run, in the order of their names: the numbers of each departure. */
  runs: z.array(z.tuple([z.string(), z.array(z.array(z.int().min(0)))])),
});

/** The exact counts of one partition, as they are kept on the custodian side. */
export type PartitionCounts = z.output<typeof partitionCountsSchema>;

/**
 * A tally as counts. A departure without an event has the passengers of the departure before it, and no boardings or
 * alightings: every scheduled departure gets a status.
 */
export function partitionCounts(tally: PartitionTally): PartitionCounts {
  const runs = [...tally].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    format: 'opaline-occupancy-counts/1',
    runs: runs.map(([run, numbers]) => [run, numbers.length === 1 ? numbers.map(carryOver) : numbers.map(zeroes)]),
  };
}

const zeroes = (numbers: readonly (number | null)[]): number[] => numbers.map((number) => number ?? 0);

function carryOver(numbers: readonly (number | null)[]): number[] {
  let last = 0;
  return numbers.map((number) => {
    last = number ?? last;
    return last;
  });
}

/** The counts of one run for its draw. */
export const runCountsOf = (numbers: readonly (readonly number[])[]): RunCounts =>
  numbers.length === 1 ? { passengers: numbers[0]! } : { boardings: numbers[0] ?? [], alightings: numbers[1] ?? [] };
