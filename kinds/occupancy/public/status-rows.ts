import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { notDrawn, readDrawnTables } from '../../drawn-tables.ts';
import { type OccupancyTable, occupancyTableSchema } from '../occupancy-table.ts';
import { publicTimetable } from '../public-timetable.ts';
import type { OccupancySeries } from '../series.ts';
import { NO_DATA } from '../status.ts';
import { byDeparture, departureRows } from '../status-table.ts';
import { runsOf, type ScheduledRun } from '../timetable.ts';

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
  const tables = await readDrawnTables(releaseStore, input, occupancyTableSchema);
  const other = tables.find((table) => !fits(table, runsOf(timetable, table)));
  if (other) throw notDrawn(other);
  const rows = [
    ...input.holes.flatMap((hole) => departureRows(timetable, hole, () => NO_DATA)),
    ...tables.flatMap((table) => departureRows(timetable, table, (run, place) => table.runs[run]!.statuses[place]!)),
  ];
  const mechanisms = new Map(tables.flatMap((table) => table.mechanisms.map((one) => [canonicalJson(one), one])));
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
