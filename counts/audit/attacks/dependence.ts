import type { AuditCheck } from '../../../contracts/audit.ts';
import { short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/check.ts';

/** All published views of one count, and what the certificate says of them. */
export type PublishedViews = {
  /** The variance of the noise of each. */
  variances: readonly number[];
  /** Variance of one published cell. */
  declaredVariance: number;
  /** How many views of one count the certificate counts: the cells that a unit touches, and the margins. */
  countedViews: number;
};

/** Variance of the best linear unbiased estimate of one count from all views of it; Infinity when there is none. */
const combinedVariance = (variances: readonly number[]): number =>
  1 / variances.reduce((sum, variance) => sum + 1 / variance, 0);

/** Room for the rounding of the sum. */
const ROUNDING = 1e-9;

/**
 * Dependence: what is published of one count several times over averages the noise. Statistic: the standard error of
 * that count, from everything published about it; bound: what it may fall to by the views that are counted.
 */
export function checkDependence({ variances, declaredVariance, countedViews }: PublishedViews): AuditCheck {
  const statistic = Math.sqrt(combinedVariance(variances));
  const bound = Math.sqrt(declaredVariance / countedViews);
  return report('dependence', 'Average everything that is published about one count.', {
    holds: !(statistic < bound * (1 - ROUNDING)),
    statistic: Number.isFinite(statistic) ? statistic : null,
    bound,
    right: `All views together know no count better than to ±${short(statistic)} (standard error), as the certificate counts.`,
    wrong: `All views together know a count to ±${short(statistic)} (standard error); the certificate counts on ±${short(bound)}.`,
  });
}
