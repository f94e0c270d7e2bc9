import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import { MECHANISMS } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * No published cell is below the threshold of the certificate (C8). Remainder rows and margins have no threshold.
 * Statistic: the smallest published cell. Bound: T.
 */
export function checkThreshold({ cells, certificate }: AuditSubject): AuditCheck {
  const attack = 'Look for a published cell that is smaller than the threshold.';
  const { threshold, mechanism } = certificate;
  if (threshold === null && MECHANISMS[mechanism].threshold === 'floor')
    return notTried(
      'threshold',
      attack,
      'Every cell of the domain is published with noise, so there is no threshold to fall under.',
    );
  if (threshold === null)
    return report('threshold', attack, {
      verdict: 'fail',
      sentence: `The certificate names no threshold, but ${mechanism} needs one.`,
    });
  const isFloor = MECHANISMS[mechanism].threshold === 'floor';
  const below = cells.count.filter((count) => count < threshold).length;
  const statistic = cells.count.reduce<number | null>((least, count) => Math.min(least ?? count, count), null);
  return report('threshold', attack, {
    holds: below === 0,
    statistic,
    bound: threshold,
    right: `No published cell is smaller than the ${isFloor ? 'floor' : 'threshold'} ${threshold}.`,
    wrong: `${below} published cells are smaller than the ${isFloor ? 'floor' : 'threshold'} ${threshold}: ${isFloor ? 'they were to be held back' : 'they show that people were there'}.`,
  });
}
