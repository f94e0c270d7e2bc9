import type { AuditCheck, AuditReport, Verdict } from '../../contracts/audit.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { toNumber } from '../rational/rational.ts';
import { exactRational, FAMILYWISE_LEVEL, holm, TEST_LEVEL } from '../statistics/holm.ts';
import type { MechanismCheck } from './check.ts';
import { MECHANISM_CHECKS } from './mechanism/checks.ts';
import type { ShadowCounts } from './mechanism/tallies.ts';
import { CHECKS, type Check } from './release/checks.ts';
import { checkRejects } from './release/rejects.ts';
import type { AuditSubject } from './subject.ts';
import { WARNINGS, type Warning } from './warnings/warnings.ts';

/**
 * The worst verdict of all checks that were tried. None at all is a fail: an audit that tried nothing found nothing out.
 */
export function foldVerdicts(checks: readonly Pick<AuditCheck, 'verdict'>[]): Verdict {
  if (checks.every(({ verdict }) => verdict === 'not-tried') || checks.some(({ verdict }) => verdict === 'fail'))
    return 'fail';
  return checks.some(({ verdict }) => verdict === 'attention') ? 'attention' : 'pass';
}

/** Ids of the checks that approvers have to acknowledge. */
export const attentionPoints = ({ checks }: Pick<AuditReport, 'checks'>): string[] =>
  checks.filter(({ verdict }) => verdict === 'attention').map(({ id }) => id);

/** A check that only waits for the level at which its p-value fails it. */
export type LevelledCheck = (level: number) => AuditCheck;

/**
 * The level at which each test of one release fails, by Holm's procedure over all their p-values together: the largest
 * p-value that is rejected, or −1 when none is. Of 10,000 honest releases at most one fails.
 */
export function levelOf(checks: readonly Pick<AuditCheck, 'pValue'>[]): number {
  const pValues = checks.flatMap(({ pValue }) => (pValue === null ? [] : [pValue]));
  const { rejected } = holm(pValues.map(exactRational), FAMILYWISE_LEVEL);
  return Math.max(-1, ...pValues.filter((_, index) => rejected[index]));
}

/**
 * Runs all checks, and those with a p-value at the level that they have together. That is at most the level of all, so
 * that a check with a greater p-value holds at either and is not run again.
 */
export function runChecks(checks: readonly LevelledCheck[]): AuditCheck[] {
  const first = checks.map((check) => check(TEST_LEVEL));
  const level = levelOf(first);
  return first.map((found, index) =>
    found.pValue === null || found.pValue > FAMILYWISE ? found : checks[index]!(level),
  );
}

const FAMILYWISE = toNumber(FAMILYWISE_LEVEL);

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
  const checks = runChecks([
    ...output.map(
      (check): LevelledCheck =>
        (level) =>
          check(subject, level),
    ),
    ...(subject.certificate.rejects ? [() => checkRejects(subject)] : []),
    ...warnings.map(
      (warning): LevelledCheck =>
        () =>
          warning(subject),
    ),
    ...(shadow ? levelled(mechanism, shadow, subject.certificate) : []),
  ]);
  return { format: 'opaline-audit/1', release: subject.release, verdict: foldVerdicts(checks), checks };
}

const levelled = (checks: readonly MechanismCheck[], shadow: ShadowCounts, certificate: Certificate): LevelledCheck[] =>
  checks.map((check) => (level) => check(shadow, certificate, level));
