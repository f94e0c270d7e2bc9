import { OpalineError } from '../../../contracts/errors.ts';
import { type Partition, partitionPath, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { readBytes, sha256 } from '../../../services/stores/json-objects.ts';
import { type OccupancyTable, occupancyTableSchema } from '../occupancy-table.ts';
import { publicTimetable } from '../public-timetable.ts';
import type { OccupancySeries } from '../series.ts';
import { NO_DATA, type StatusRow } from '../status.ts';
import { byDeparture } from '../status-table.ts';
import { type RunTimetable, runsOf, type ScheduledRun } from '../timetable.ts';

/** All that was drawn for a release, and what it was drawn with. */
export type DrawnStatuses = { rows: StatusRow[]; mechanisms: OccupancyTable['mechanisms'] };

/**
 * The status of every scheduled departure of the release, in order: as it was drawn, or NO_DATA_AVAILABLE in a hole.
 * Throws VERIFICATION_FAILED when a stored table is not the one that was drawn (C11), or is of other departures.
 *
 * @contract C4
 * @contract C11
 */
export async function drawnStatuses(
  { releaseStore }: PublicContext,
  input: DeriveInput,
  series: OccupancySeries,
): Promise<DrawnStatuses> {
  const timetable = await publicTimetable(releaseStore, series);
  const rows = input.holes.flatMap((hole) => noData(hole, timetable));
  const mechanisms = new Map<string, OccupancyTable['mechanisms'][number]>();
  for (const { partition, digest } of input.draws) {
    const bytes = await readBytes(releaseStore, RELEASE_KEYS.privatized(input, partition));
    if (sha256(bytes) !== digest) throw refuse(partition);
    const table = occupancyTableSchema.parse(JSON.parse(bytes.toString('utf8')));
    const runs = runsOf(timetable, partition);
    if (table.part !== partition.part || table.day !== partition.day || !fits(table, runs)) throw refuse(partition);
    for (const [place, run] of runs.entries()) rows.push(...runRows(partition, run, table.runs[place]!.statuses));
    for (const one of table.mechanisms) mechanisms.set(canonicalJson(one), one);
  }
  return {
    rows: rows.sort(byDeparture),
    mechanisms: [...mechanisms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
  };
}

const fits = (table: OccupancyTable, runs: readonly ScheduledRun[]): boolean =>
  table.runs.length === runs.length &&
  runs.every(
    ({ run, departures }, place) =>
      table.runs[place]!.run === run && table.runs[place]!.statuses.length === departures.length,
  );

const noData = (hole: Partition, timetable: RunTimetable): StatusRow[] =>
  runsOf(timetable, hole).flatMap((run) =>
    runRows(
      hole,
      run,
      run.departures.map(() => NO_DATA),
    ),
  );

/** The rows of one run, with the statuses of its departures. */
const runRows = (
  { part, day }: Partition,
  { run, vehicle, departures }: ScheduledRun,
  statuses: readonly StatusRow['status'][],
): StatusRow[] =>
  departures.map(({ sequence, stop, departure }, place) => ({
    part,
    day,
    run,
    sequence,
    stop,
    departure,
    vehicle,
    status: statuses[place]!,
  }));

const refuse = (partition: Partition): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `The stored statuses of ${partitionPath(partition)} are not those that were drawn; find out who wrote them.`,
  );
