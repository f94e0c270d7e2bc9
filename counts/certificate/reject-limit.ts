import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { ENDS_PUBLISHED } from './units.ts';

/**
 * At most this share of the releases in which nothing was rejected is over a limit of rejects: smaller limits are
 * refused.
 */
export const ALARMED_WRONGLY = 1 / 1000;

const LONGEST_MONTH = 31;

/**
 * Chance that the noisy number of rejects of one day of a part is above `limit`, a whole number of at least 0, when none
 * was rejected. `scale` b > 0 is that of the noise on each end; `ends`: how many ends are published. The sum of two
 * numbers of discrete Laplace noise has P[S = d] = ((1−α)/(1+α))²·α^d·(d + (1+α²)/(1−α²)), d ≥ 0 (reject-limit.proof.md).
 */
export function alarmChance(limit: number, scale: number, ends: 1 | 2): number {
  const alpha = Math.exp(-1 / scale);
  const rest = -Math.expm1(-1 / scale);
  const first = limit + 1;
  const power = Math.exp(-first / scale);
  if (ends === 1) return power / (1 + alpha);
  const shift = (1 + alpha * alpha) / (rest * (1 + alpha));
  return ((power * rest) / (1 + alpha) ** 2) * (first + shift + alpha / rest);
}

/**
 * Upper bound on the chance that a release without rejects is over some limit in a window of this number of days, or
 * months; null when there is no limit.
 *
 * @contract C5
 */
export function wrongAlarm(
  { rejects, leftOutScale, publish }: Pick<Certificate, 'rejects' | 'leftOutScale' | 'publish'>,
  { days, months = 1 }: { days?: number | undefined; months?: number | undefined },
): number | null {
  if (!rejects || leftOutScale === undefined) return null;
  const scale = toNumber(parseRational(leftOutScale));
  const each = Object.values(rejects).map((limit) => alarmChance(limit, scale, ENDS_PUBLISHED[publish]));
  return Math.min(1, (days ?? LONGEST_MONTH * months) * each.reduce((sum, chance) => sum + chance, 0));
}
