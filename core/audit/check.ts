import type { AuditCheck, Verdict } from '../../contracts/audit.ts';
import type { AuditSubject } from './subject.ts';

/** One check: a pure function of the subject. One with a p-value fails when it is at most `level`. */
export type Check = (subject: AuditSubject, level: number) => AuditCheck;

/** The part of a finding that a check computes; what it leaves out is null in the report. */
export type Finding = Pick<AuditCheck, 'sentence'> &
  Partial<Pick<AuditCheck, 'statistic' | 'bound'>> & { verdict: Verdict };

/** A finding as a row of the report. */
export const report = (id: string, attack: string, finding: Finding): AuditCheck => ({
  id,
  attack,
  verdict: finding.verdict,
  statistic: finding.statistic ?? null,
  bound: finding.bound ?? null,
  interval: null,
  pValue: null,
  sentence: finding.sentence,
});
