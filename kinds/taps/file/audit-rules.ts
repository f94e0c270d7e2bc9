import { dirname, resolve } from 'node:path';
import { OpalineError } from '../../../contracts/errors.ts';
import type { ReportIssue, SeriesIssue } from '../../../contracts/series-issue.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { LoadedList } from '../../client-kind.ts';
import { parseTimetable } from '../public/audit-subject/timetable.ts';
import type { TapsFile } from '../series.ts';
import { MOST_LIST_BYTES, unreadList } from './dictionaries.ts';

/**
 * The services that a series declares have to be of its modes and on the grid of its time bins; its siblings are other
 * series, each named once.
 */
export function auditRules({ series, audit, modes, bins }: Partial<TapsFile>, report: ReportIssue): void {
  for (const [index, { mode, minutes }] of (audit?.equalTruth ?? []).entries()) {
    if (modes && !modes.includes(mode))
      report(['audit', 'equalTruth', index, 'mode'], 'The series has no such mode; name one of its modes.');
    if (bins && minutes % bins.minutes !== 0)
      report(
        ['audit', 'equalTruth', index, 'minutes'],
        `The time must be a multiple of the time bin, ${bins.minutes} minutes.`,
      );
  }
  for (const [index, sibling] of (audit?.siblings ?? []).entries()) {
    if (sibling === series)
      report(['audit', 'siblings', index], 'A series is not its own sibling; name other series on the same source.');
    if (audit!.siblings!.indexOf(sibling) < index)
      report(['audit', 'siblings', index], 'This sibling is named twice; name it once.');
  }
}

/** Reads the timetable that a series names, relative to its file; mistakes inside it are issues of that file. */
export async function readTimetable(
  seriesPath: string,
  audit: TapsFile['audit'],
  report: ReportIssue,
  issues: SeriesIssue[],
): Promise<LoadedList | null> {
  const file = audit?.timetable;
  if (file === undefined) return null;
  const { bytes, refusal } = await readBoundedFile(resolve(dirname(seriesPath), file), MOST_LIST_BYTES);
  if (refusal !== null) {
    report(['audit', 'timetable'], unreadList(file, refusal));
    return null;
  }
  try {
    parseTimetable(bytes);
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    const line = Number(/^Line (\d+)/.exec(error.message)?.[1] ?? 1);
    issues.push({ file, line, column: 1, field: '', sentence: error.message });
  }
  return { digest: sha256(bytes), bytes };
}
