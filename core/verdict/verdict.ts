import type { AuditCheck, AuditReport, Verdict } from '../../contracts/audit-report.ts';
import { toNumber } from '../rational/rational.ts';
import { exactRational, FAMILYWISE_LEVEL, holm, TEST_LEVEL } from '../statistics/holm.ts';

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
  return first.map((check, index) =>
    check.pValue === null || check.pValue > FAMILYWISE ? check : checks[index]!(level),
  );
}

const FAMILYWISE = toNumber(FAMILYWISE_LEVEL);
