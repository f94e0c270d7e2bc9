import type { ReportIssue } from '../../../contracts/series-issue.ts';
import type { FileCheck, LoadedList } from '../../client-kind.ts';
import { readList } from '../../list-file.ts';
import { readTimetableCells } from '../public/audit-subject/timetable.ts';
import type { TapsFile } from '../series.ts';

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
  for (const [index, { from, to, parts = [] }] of (audit?.unusual ?? []).entries()) {
    if (to < from) report(['audit', 'unusual', index, 'to'], 'The last day is before the first; exchange them.');
    if (modes && !parts.every((mode) => modes.includes(mode)))
      report(['audit', 'unusual', index, 'parts'], 'The series has no such mode; name modes of it.');
  }
  for (const [index, sibling] of (audit?.siblings ?? []).entries()) {
    if (sibling === series)
      report(['audit', 'siblings', index], 'A series is not its own sibling; name other series on the same source.');
    if (audit!.siblings!.indexOf(sibling) < index)
      report(['audit', 'siblings', index], 'This sibling is named twice; name it once.');
  }
}

/** The timetable that a series names; null without one, or with one that cannot be read. */
export const readTimetable = async (check: FileCheck, audit: TapsFile['audit']): Promise<LoadedList | null> =>
  audit?.timetable === undefined
    ? null
    : readList(check, ['audit', 'timetable'], audit.timetable, (bytes) => readTimetableCells(bytes).mistakes);
