import type { AuditCheck, FindingVerdict } from '../../contracts/audit.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import type { ShadowCounts } from './mechanism/tallies.ts';

/**
 * One check of what the mechanism did to synthetic counts: a pure function of the counts and the certificate. It fails
 * when its p-value is at most `level`.
 */
export type MechanismCheck = (shadow: ShadowCounts, certificate: Certificate, level: number) => AuditCheck;

/** The part of a finding that a check computes; what it leaves out is null in the report. */
export type Finding = Pick<AuditCheck, 'sentence'> &
  Partial<Pick<AuditCheck, 'statistic' | 'bound'>> & { verdict: FindingVerdict };

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
