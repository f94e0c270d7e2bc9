import { join } from 'node:path';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../../contracts/names.ts';
import type { BinInput, ObjectFault } from '../../../contracts/stages.ts';
import { matchObject } from '../../../core/source-pattern/pattern.ts';
import type { PrivateContext } from '../../../custodian/context.ts';
import { readRowsOrCode } from '../../../custodian/source/csv-rows.ts';
import { byObject, meet, partitionsOf, readInventory, sourceWindow } from '../../../custodian/source/inventory.ts';
import { keepRejects, rejectedLines } from '../../../custodian/source/rejected-rows.ts';
import { dropCopies } from '../../../custodian/source/scratch-copy.ts';
import { withScratchFolder } from '../../../services/files/scratch-folder.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { publicTimetable } from '../public-timetable.ts';
import { EVENT_COLUMNS, type OccupancySeries, vehicleModels } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { type RunTimetable, runsOf } from '../timetable.ts';
import { countedColumns, departuresOf, eventOf } from './events.ts';
import { emptyTally, type PartitionTally, partitionCounts, tallyEvent } from './run-counts.ts';

/** Tallies by partition path. */
type Tallies = ReadonlyMap<string, PartitionTally>;

/**
 * Tallies the events of the named partitions, one object of counts a partition, with every scheduled run in it. A bad
 * row is a private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is a
 * fault of exactly the partitions that it may feed, and the others are finished (C6).
 *
 * Throws SERIES_INVALID for a series that is not of its timetable. Safe to run twice: counts are a function of the
 * pinned objects, put if absent.
 *
 * @contract C4
 * @contract C5
 * @contract C6
 * @contract safe-to-retry
 */
export async function binEvents(
  context: PrivateContext,
  input: BinInput,
  series: OccupancySeries,
): Promise<{ faults: ObjectFault[] }> {
  const timetable = await publicTimetable(context.releaseStore, series);
  const source = sourceWindow(occupancyKind, series, input.window);
  const { objects, faults: known } = await readInventory(context, input, input.round);
  const tallies = emptyTallies(input.partitions, timetable, countedColumns(series).length);
  const faults = known
    .map((fault) => ({ ...fault, partitions: fault.partitions.filter((one) => meet([one], input.partitions)) }))
    .filter(({ partitions }) => partitions.length > 0);
  await withScratchFolder(context.scratch, async (folder) => {
    const columns = EVENT_COLUMNS.flatMap((column) => series.source.columns[column] ?? []);
    const reading = { context, run: input, source: series.source, folder, columns };
    const models = vehicleModels(series);
    for (const [number, pin] of objects.entries()) {
      const name = matchObject(series.source.pattern, pin.key) ?? {};
      const partitions = partitionsOf(source, [name]).filter((one) => meet([one], input.partitions));
      if (partitions.length === 0) continue;
      const rejects = rejectedLines(join(folder, `rejects-${number}`));
      const departures = departuresOf(partitions.flatMap((partition) => runsOf(timetable, partition)));
      const tallied = partitions.map((partition) => tallies.get(partitionPath(partition))!);
      const code = await readRowsOrCode(reading, pin, rejects, (fields, line) => {
        const event = eventOf(fields, series, departures, models);
        if (typeof event === 'string') rejects.add(event, line);
        else for (const tally of tallied) tallyEvent(tally, event);
      });
      if (code) faults.push({ object: pin.key, code, partitions });
      else await keepRejects(context, folder, rejects, PRIVATE_KEYS.rejects(input, input.round, number));
    }
  });
  const failed = faults.flatMap(({ partitions }) => partitions);
  for (const partition of input.partitions) {
    if (meet([partition], failed)) continue;
    const counts = partitionCounts(tallies.get(partitionPath(partition))!);
    await context.privateStore.putIfAbsent(PRIVATE_KEYS.cells(input, input.round, partition), jsonBytes(counts));
  }
  await dropCopies(context.scratch, input);
  return { faults: faults.sort(byObject) };
}

const emptyTallies = (partitions: readonly Partition[], timetable: RunTimetable, numbers: number): Tallies =>
  new Map(partitions.map((one) => [partitionPath(one), emptyTally(runsOf(timetable, one), numbers)]));
