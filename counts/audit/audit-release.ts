import type { AuditReport } from '../../contracts/audit-report.ts';
import { foldVerdicts, runChecks } from '../../core/verdict/verdict.ts';
import { checkRejects } from './checks/rejects.ts';
import { CHECKS, type Check } from './checks/release-checks.ts';
import { MECHANISM_CHECKS } from './mechanism/mechanism-checks.ts';
import type { MechanismCheck, ShadowCounts } from './mechanism/shadow-tallies.ts';
import type { AuditSubject } from './subject.ts';
import { reportHistory } from './warnings/usual-taps.ts';
import { WARNINGS, type Warning } from './warnings/warnings.ts';

/** The checks of an audit: of what is released, and of the mechanism; and the warnings. */
export type Registry = {
  output: readonly Check[];
  mechanism: readonly MechanismCheck[];
  warnings: readonly Warning[];
};
export const REGISTRY: Registry = { output: CHECKS, mechanism: MECHANISM_CHECKS, warnings: WARNINGS };

/**
 * @contract C15 The report is a function of released rows, public parameters, and what the mechanism did to synthetic
 * counts. `shadow` is null where the mechanism is not at hand: then only what is published is attacked.
 */
export function auditRelease(
  subject: AuditSubject,
  shadow: ShadowCounts | null = null,
  { output, mechanism, warnings }: Registry = REGISTRY,
): AuditReport {
  const { certificate } = subject;
  const outputChecks: readonly Check[] = [...output, ...(certificate.rejects ? [checkRejects] : []), ...warnings];
  const checks = runChecks([
    ...outputChecks.map((check) => (level: number) => check(subject, level)),
    ...(shadow ? mechanism.map((check) => (level: number) => check(shadow, certificate, level)) : []),
  ]);
  const { history } = subject.knowledge;
  return {
    format: 'opaline-audit/2',
    release: subject.release,
    verdict: foldVerdicts(checks),
    checks,
    ...(history && { history: reportHistory(subject, history) }),
  };
}
