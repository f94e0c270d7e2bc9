import { dirname, resolve } from 'node:path';
import type { ReportIssue, SeriesIssue } from '../../../contracts/series-issue.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { LoadedList } from '../../client-kind.ts';
import type { OccupancyFile } from '../series.ts';
import { type RunTimetable, readRunTimetable } from '../timetable.ts';

/** A million departures of sixty characters. */
const MOST_BYTES = 64 * 2 ** 20;

export type LoadedTimetable = { list: LoadedList; timetable: RunTimetable };

/**
 * Reads the timetable that a series names, relative to its file; null when it cannot be read. Mistakes inside are issues
 * of that file; runs of parts or vehicles that the series does not have are mistakes of the series.
 */
export async function loadTimetable(
  seriesPath: string,
  { timetable: name, parts, vehicles }: Partial<OccupancyFile>,
  report: ReportIssue,
  issues: SeriesIssue[],
): Promise<LoadedTimetable | null> {
  if (name === undefined) return null;
  const { bytes, refusal } = await readBoundedFile(resolve(dirname(seriesPath), name), MOST_BYTES);
  if (refusal !== null) {
    report(
      ['timetable'],
      refusal === 'too large'
        ? `The file ${name} is larger than 64 MiB; leave out what the series does not need.`
        : `The file ${name} cannot be read; paths start at the series file.`,
    );
    return null;
  }
  const { timetable, mistakes } = readRunTimetable(bytes);
  issues.push(...mistakes.map((mistake) => ({ file: name, column: 1, field: '', ...mistake })));
  const strangers = (named: readonly string[], own: readonly string[]) =>
    [...new Set(named)].filter((one) => !own.includes(one));
  for (const part of strangers(
    timetable.map((run) => run.part),
    parts ?? timetable.map((run) => run.part),
  ))
    report(['parts'], `The timetable has runs of the part ${part}; add it, or take them out.`);
  const models = Object.keys(vehicles ?? {});
  if (vehicles)
    for (const vehicle of strangers(
      timetable.map((run) => run.vehicle),
      models,
    ))
      report(['vehicles'], `The timetable has runs of the vehicle ${vehicle}; add it, or take them out.`);
  return { list: { digest: sha256(bytes), bytes }, timetable };
}
