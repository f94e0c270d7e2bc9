import type { Series } from '../contracts/series.ts';
import { type ReportIssue, runCheck } from '../contracts/series-issue.ts';
import { type Amount, amountOf } from '../core/accounting/basic-composition.ts';
import { compare, parseRational } from '../core/rational/rational.ts';
import { markerProblems, patternProblems } from '../core/source-pattern/pattern.ts';
import { readDelta, readEpsilon } from '../counts/certificate/amounts.ts';

type Budget = Pick<Series['privacy'], 'epsilon' | 'delta' | 'caps'>;

/** The amounts that a series file names; null when one is not an amount, which is reported. */
export function readAmounts({ epsilon, delta }: Budget, report: ReportIssue): Amount | null {
  const sound = [
    runCheck(report, ['privacy', 'epsilon'], () => readEpsilon(epsilon)),
    runCheck(report, ['privacy', 'delta'], () => readDelta(delta)),
  ].every(Boolean);
  return sound ? amountOf({ epsilon, delta }) : null;
}

/** Reports caps that no release of this cost could ever keep. */
export function requireRoom({ caps }: Budget, amounts: Amount, report: ReportIssue): void {
  for (const cap of ['block', 'year'] as const) {
    const most = caps[cap];
    // What a release costs in ρ is known once it is certified; its population looks at it.
    if ('rho' in most) continue;
    for (const amount of ['epsilon', 'delta'] as const) {
      const path = ['privacy', 'caps', cap, amount];
      runCheck(report, path, () => {
        if (compare(parseRational(most[amount]), amounts[amount]) < 0)
          report(path, 'The cap is below what one release costs, which could never run; raise it.');
      });
    }
  }
}

/** Reports what is wrong with the pattern of a source, and with the objects of its supplier beside it. */
export function checkPatterns(source: Pick<Series['source'], 'pattern' | 'completeness'>, report: ReportIssue): void {
  const { pattern, completeness } = source;
  for (const problem of patternProblems(pattern)) report(['source', 'pattern'], problem);
  for (const beside of ['marker', 'manifest'] as const) {
    const marker = completeness?.[beside];
    if (marker === undefined) continue;
    for (const problem of markerProblems(marker, pattern)) report(['source', 'completeness', beside], problem);
  }
}
