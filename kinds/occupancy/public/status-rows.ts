import type { Partition } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { notDrawn, readDrawnTables } from '../../drawn-tables.ts';
import { type OccupancyTable, occupancyTableSchema } from '../occupancy-table.ts';
import { publicTimetable } from '../public-timetable.ts';
import type { OccupancySeries } from '../series.ts';
import { NO_DATA, type StatusRow } from '../status.ts';
import { byDeparture } from '../status-table.ts';
import { type RunTimetable, runsOf, type ScheduledRun } from '../timetable.ts';

/**
 * The status of every scheduled departure of the release, in order: as it was drawn, or NO_DATA_AVAILABLE in a hole; and
 * what they were drawn with.
 * Throws VERIFICATION_FAILED when a stored table is not the one that was drawn (C11), or is of other departures.
 *
 * @contract C4
 * @contract C11
 */
export async function readStatuses({ releaseStore }: PublicContext, input: DeriveInput, series: OccupancySeries) {
  const timetable = await publicTimetable(releaseStore, series);
  const rows = input.holes.flatMap((hole) => noData(hole, timetable));
  const mechanisms = new Map<string, OccupancyTable['mechanisms'][number]>();
  for (const table of await readDrawnTables(releaseStore, input, occupancyTableSchema)) {
    const runs = runsOf(timetable, table);
    if (!fits(table, runs)) throw notDrawn(table);
    for (const [place, run] of runs.entries()) rows.push(...runRows(table, run, table.runs[place]!.statuses));
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
  departures.map((departure, place) => ({ part, day, run, vehicle, ...departure, status: statuses[place]! }));
