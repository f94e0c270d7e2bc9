import type { Series } from '../contracts/series.ts';
import type { ReportIssue } from '../contracts/series-issue.ts';
import { markerProblems, patternProblems } from '../core/source-pattern/pattern.ts';

/** Reports what is wrong with the pattern of a source, and with its marker. */
export function checkPatterns(
  { pattern, completeness }: Pick<Series['source'], 'pattern' | 'completeness'>,
  report: ReportIssue,
): void {
  for (const problem of patternProblems(pattern)) report(['source', 'pattern'], problem);
  if (completeness?.marker !== undefined)
    for (const problem of markerProblems(completeness.marker, pattern))
      report(['source', 'completeness', 'marker'], problem);
}
