import type { AuditCheck, AuditReport, Verdict } from '../../contracts/audit.ts';
import { CHECKS } from './checks.ts';
import type { AuditSubject } from './subject.ts';

/** The worst verdict of all checks. No checks at all is a fail: an audit that tried nothing found nothing out. */
export function foldVerdicts(checks: readonly Pick<AuditCheck, 'verdict'>[]): Verdict {
  if (checks.length === 0 || checks.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return checks.some(({ verdict }) => verdict === 'attention') ? 'attention' : 'pass';
}

/** Ids of the checks that approvers have to acknowledge. */
export const attentionPoints = ({ checks }: Pick<AuditReport, 'checks'>): string[] =>
  checks.filter(({ verdict }) => verdict === 'attention').map(({ id }) => id);

/** @contract C15 The report is a function of released rows and public parameters alone. */
export function auditRelease(subject: AuditSubject): AuditReport {
  const checks = CHECKS.map((check) => check(subject));
  return { format: 'opaline-audit/1', release: subject.release, verdict: foldVerdicts(checks), checks };
}
