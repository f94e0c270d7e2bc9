import type { FileCheck, LoadedList } from '../../client-kind.ts';
import { readList } from '../../list-file.ts';
import type { OccupancyFile } from '../series.ts';
import { type RunTimetable, readRunTimetable } from '../timetable.ts';

/**
 * The timetable that a series names; null when it cannot be read. Runs of parts or vehicles that the series does not have
 * are mistakes of the series.
 */
export async function loadTimetable(
  check: FileCheck,
  { timetable: name, parts, vehicles }: Partial<OccupancyFile>,
): Promise<{ list: LoadedList; timetable: RunTimetable } | null> {
  if (name === undefined) return null;
  let timetable: RunTimetable = [];
  const list = await readList(check, ['timetable'], name, (bytes) => {
    const file = readRunTimetable(bytes);
    timetable = file.content;
    return file.mistakes;
  });
  if (!list) return null;
  const requireOwn = (field: 'part' | 'vehicle', own: readonly string[] | undefined): void => {
    for (const one of new Set(timetable.map((run) => run[field])))
      if (own && !own.includes(one))
        check.report([`${field}s`], `The timetable has runs of the ${field} ${one}; add it, or take them out.`);
  };
  requireOwn('part', parts);
  requireOwn('vehicle', vehicles && Object.keys(vehicles));
  return { list, timetable };
}
