import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { binomialTest } from '../../../core/statistics/binomial.ts';
import { report } from '../../../core/verdict/check.ts';
import { appearance } from './appearance.ts';
import type { RunCount } from './tallies.ts';

/**
 * Under a floor a made-up empty cell is published as often as its noise reaches it. Statistic: how many were; bound: how
 * many the certificate gives on average. Where that is far below 1 the check notices only cells that show too often; that
 * empty cells have noise at all, the check of interference finds out.
 */
export function emptyUnderFloor(
  { id, attack }: Pick<AuditCheck, 'id' | 'attack'>,
  { events, runs }: RunCount,
  certificate: Certificate,
  level: number,
): AuditCheck {
  const chance = appearance(certificate, 0);
  const pValue = runs > 0 ? binomialTest(events, runs, chance, 'either') : 0;
  const holds = pValue > level;
  return report(id, attack, {
    verdict: holds ? 'pass' : 'fail',
    statistic: events,
    bound: runs * chance.value,
    pValue,
    sentence: `Of ${runs} made-up empty cells ${events} were published, which is ${holds ? '' : 'not '}what the noise of the certificate gives.`,
  });
}
