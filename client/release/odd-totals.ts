import type { AuditReport } from '../../contracts/audit-report.ts';
import { parsePartitionPath } from '../../contracts/names.ts';
import { partitionInWords } from '../../core/calendar/partition-spans.ts';
import { numeral } from '../../services/series-pages/bar-charts.ts';

/** What is named at once; the audit has all of it. */
const MOST_NAMED = 3;

type DayOfHistory = NonNullable<AuditReport['history']>['days'][number];

/** On which side of what is usual a total is; null where it is usual, or nobody knows. */
export const sideOfRange = ({ count, usual }: Pick<DayOfHistory, 'count' | 'usual'>): 'lower' | 'higher' | null =>
  usual === null ? null : count < usual[0] ? 'lower' : count > usual[1] ? 'higher' : null;

/** Totals that an audit found outside of what is usual for them. */
export const oddTotals = ({ history }: Pick<AuditReport, 'history'>): DayOfHistory[] =>
  (history?.days ?? []).filter((day) => sideOfRange(day) !== null);

/** The first totals that are not as usual, for people: `tram, Wed 11 Nov 2026: 95, usually 2,660 to 3,863`. */
export function oddTotalsInWords(report: Pick<AuditReport, 'history'>): string | null {
  return firstOf(
    oddTotals(report).map(
      ({ partition, count, usual }) =>
        `${partitionInWords(parsePartitionPath(partition)!)}: ${numeral(count)}, usually ${numeral(usual![0])} to ${numeral(usual![1])}`,
    ),
  );
}

/** What of an audit people have to look at, in its own words: what broke, then odd totals or else points of attention. */
export function oddInWords(report: Pick<AuditReport, 'history' | 'checks'>): string | null {
  const of = (outcome: string) => report.checks.filter(({ verdict }) => verdict === outcome);
  const sentences = (checks: AuditReport['checks']) => checks.map(({ sentence }) => sentence.replace(/\.$/, ''));
  const failures = firstOf(sentences(of('fail')));
  return failures ?? oddTotalsInWords(report) ?? firstOf(sentences(of('attention')));
}

function firstOf(all: readonly string[]): string | null {
  const others = all.length - MOST_NAMED;
  const words = all.slice(0, MOST_NAMED).join('; ');
  return all.length === 0 ? null : `${words}${others > 0 ? `; and ${others} more` : ''}`;
}
