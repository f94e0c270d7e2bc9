import type { AuditCheck, FindingVerdict } from '../../contracts/audit-report.ts';

/** The part of a finding that a check computes; what it leaves out is null in the report. */
export type Finding = Partial<Pick<AuditCheck, 'statistic' | 'bound' | 'interval' | 'pValue'>> &
  ({ verdict: FindingVerdict; sentence: string } | { holds: boolean; right: string; wrong: string });

/** A finding as a row of the report; one that holds or not passes with the one sentence and fails with the other. */
export const report = (id: string, attack: string, finding: Finding): AuditCheck => ({
  id,
  attack,
  verdict: 'verdict' in finding ? finding.verdict : finding.holds ? 'pass' : 'fail',
  statistic: finding.statistic ?? null,
  bound: finding.bound ?? null,
  interval: finding.interval ?? null,
  pValue: finding.pValue ?? null,
  sentence: 'verdict' in finding ? finding.sentence : finding.holds ? finding.right : finding.wrong,
});

/** A check of what must not be there: how much of it was found is its statistic. */
export const reportNone = (
  id: string,
  attack: string,
  count: number,
  sentences: { right: string; wrong: string },
): AuditCheck => report(id, attack, { holds: count === 0, statistic: count, bound: 0, ...sentences });

/** What people have to look at, by how much it names: none of it is meant to be. */
export const warning = (id: string, attack: string, count: number, sentence: string): AuditCheck =>
  report(id, attack, { verdict: count === 0 ? 'pass' : 'attention', statistic: count, bound: 0, sentence });

/** A check that had nothing to try. */
export const notTried = (id: string, attack: string, sentence: string): AuditCheck =>
  report(id, attack, { verdict: 'not-tried', sentence });
