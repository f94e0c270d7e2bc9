import type { AuditCheck } from '../contracts/audit.ts';
import { short } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/check.ts';
import { checkReuse } from '../counts/audit/attacks/reuse.ts';
import { checkScale } from '../counts/audit/attacks/scale-recovery.ts';
import type { ForeignSubject } from './subject.ts';

/**
 * Scale recovery from pairs of equal truth. With a declared scale the two are compared (attacks/scale-recovery.ts);
 * without one, what comes out is the point for attention: the publisher has kept nothing back but from honest readers.
 * Statistic: the scale; interval: about 99.9 %.
 */
export function checkForeignScale(subject: ForeignSubject, level: number): AuditCheck {
  const { declared } = subject;
  if (declared) return checkScale(declared.noise, declared.pairs, level);
  const attack = 'Recover the noise from pairs of counts that must be equal.';
  const { recovered } = subject;
  if (!recovered) return notTried('scale', attack, 'No pairs of counts that must be equal are known.');
  const { scale, error, pairs } = recovered;
  const interval: [number, number] = [Math.max(0, scale - error), scale + error];
  return report('scale', attack, {
    verdict: 'attention',
    statistic: scale,
    interval,
    sentence: `Nobody declares the scale of the noise, but ${pairs} pairs of counts give it away: ${short(scale)}, between ${short(interval[0])} and ${short(interval[1])}.`,
  });
}

/** Reuse of noise in pairs of equal truth, where the noise is declared; see attacks/reuse.ts. */
export const checkForeignReuse = ({ declared }: ForeignSubject, level: number): AuditCheck | null =>
  declared && checkReuse(declared.noise, declared.pairs, level);
