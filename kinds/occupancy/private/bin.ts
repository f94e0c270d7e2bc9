import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { keepDiagnostics } from '../../../activities/private/diagnostics.ts';
import { cleanLines } from '../../../activities/private/source/clean-lines.ts';
import {
  byObject,
  meet,
  type Pin,
  partitionsOf,
  readInventory,
  sourceWindow,
} from '../../../activities/private/source/inventory.ts';
import { dropCopies, linkCopy, objectCode } from '../../../activities/private/source/scratch-copy.ts';
import { sourceText } from '../../../activities/private/source/source-text.ts';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../../contracts/names.ts';
import type { BinInput, ObjectFault } from '../../../contracts/stages.ts';
import { csvFields } from '../../../core/csv/csv.ts';
import type { VehicleModel } from '../../../core/occupancy/vehicle-model.ts';
import { matchObject } from '../../../core/source-pattern/pattern.ts';
import { publicTimetable } from '../public-timetable.ts';
import { EVENT_COLUMNS, type OccupancySeries, vehicleModels } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { type RunTimetable, runsOf } from '../timetable.ts';
import { countedColumns, departuresOf, eventOf } from './events.ts';
import { keepRejects, type RejectedLines, rejectedLines } from './rejects.ts';
import { emptyTally, type PartitionTally, partitionCounts, tallyEvent } from './run-counts.ts';

/** What reading an object needs to know besides the object. */
type Reading = {
  context: PrivateContext;
  series: OccupancySeries;
  timetable: RunTimetable;
  models: ReadonlyMap<string, VehicleModel>;
  folder: string;
};

/** Tallies by partition path. */
type Tallies = ReadonlyMap<string, PartitionTally>;

/**
 * Tallies the events of the named partitions, one object of counts a partition, with every scheduled run in it. A bad row
 * is a private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is a fault of
 * exactly the partitions that it may feed, and the others are finished (C6).
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
    const reading: Reading = { context, series, timetable, models: vehicleModels(series), folder };
    for (const [number, pin] of objects.entries()) {
      const name = matchObject(series.source.pattern, pin.key) ?? {};
      const partitions = partitionsOf(source, [name]).filter((one) => meet([one], input.partitions));
      if (partitions.length === 0) continue;
      const rejects = rejectedLines(join(folder, `rejects-${number}`));
      const code = await readOrCode(reading, pin, partitions, tallies, rejects);
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
  await dropCopies(context.scratch, objects);
  return { faults: faults.sort(byObject) };
}

const emptyTallies = (partitions: readonly Partition[], timetable: RunTimetable, numbers: number): Tallies =>
  new Map(partitions.map((one) => [partitionPath(one), emptyTally(runsOf(timetable, one), numbers)]));

/** Reads one object; the code when it is at fault. What an object at fault has told is in no partition that is stored. */
async function readOrCode(
  reading: Reading,
  pin: Pin,
  partitions: readonly Partition[],
  tallies: Tallies,
  rejects: RejectedLines,
): Promise<ObjectFault['code'] | null> {
  try {
    await readObject(reading, pin, partitions, tallies, rejects);
    return null;
  } catch (error) {
    const damaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    const code = damaged ? 'OBJECT_UNREADABLE' : objectCode(error);
    await keepDiagnostics(reading.context)(`bin ${pin.key}`, error);
    return code;
  }
}

async function readObject(
  { context, series, timetable, models, folder }: Reading,
  pin: Pin,
  partitions: readonly Partition[],
  tallies: Tallies,
  rejects: RejectedLines,
): Promise<void> {
  const path = join(folder, 'object');
  const { delimiter, header } = series.source.csv;
  const departures = departuresOf(partitions.flatMap((partition) => runsOf(timetable, partition)));
  const tallied = partitions.map((partition) => tallies.get(partitionPath(partition))!);
  try {
    await linkCopy(context, context.sourceStore(series.source.store), pin, path);
    const format = { kind: 'csv', delimiter, header: header ?? null } as const;
    const clean = await cleanLines(sourceText(path, series.source), format, `${path}.rows`, `${rejects.path}.lines`);
    rejects.addLines(clean.rejected);
    const names = requireColumns(clean.header, series);
    for await (const line of linesOf(`${path}.rows`)) {
      const values = csvFields(line, delimiter);
      const fields = new Map(names.map((name, place) => [name, values[place] ?? '']));
      const event = eventOf(fields, series, departures, models);
      if (typeof event === 'string') rejects.add(event, line);
      else for (const tally of tallied) tallyEvent(tally, event);
    }
  } finally {
    await rejects.end();
    for (const name of [path, `${path}.rows`]) await rm(name, { force: true });
  }
}

/** The lines of a cleaned file. A line ends with a line feed and with nothing else that Unicode takes for an end. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** The names of the columns, in their order. Throws OBJECT_SCHEMA unless all that the series names are there, once. */
function requireColumns(header: readonly string[] | null, { source }: Pick<OccupancySeries, 'source'>): string[] {
  const names = header ?? [];
  const wanted = EVENT_COLUMNS.flatMap((column) => source.columns[column] ?? []);
  if (wanted.every((column) => names.filter((name) => name === column).length === 1)) return [...names];
  throw new OpalineError('OBJECT_SCHEMA', 'An object lacks a column of events that the series names, or has it twice.');
}
