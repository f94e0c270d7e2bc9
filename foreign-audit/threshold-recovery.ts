import type { AuditCheck } from '../contracts/audit-report.ts';
import { notTried, report } from '../core/verdict/finding.ts';
import { smallestCount } from './foreign-noise.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import { pickDrawnRows } from './foreign-table.ts';

/**
 * Threshold recovery in each table that was drawn and has one. Statistic: the smallest count of all tables; bound: the
 * declared threshold of the table with the smallest margin to it. A table without a declared threshold is a point for
 * attention: hiding it protects nobody, and readers need it. Fails when a count is below the declared threshold.
 */
export function checkThresholdRecovery({ tables }: Pick<ForeignSubject, 'tables'>): AuditCheck {
  const attack = 'Read the threshold off the smallest published counts.';
  const minima = tables.flatMap((table) => {
    const smallest = smallestCount(table);
    // Nothing is suppressed in a complete domain, and its smallest count is noise.
    if (smallest === null || table.noise.threshold === null) return [];
    const { certificate, threshold } = table.declared;
    const times = pickDrawnRows(table).filter(({ count }) => count === smallest).length;
    return [{ name: table.name, smallest, times, declared: certificate?.threshold ?? threshold }];
  });
  if (minima.length === 0) return notTried('threshold-recovery', attack, 'No counts are published.');
  const under = minima.filter(({ smallest, declared }) => declared !== null && smallest < declared);
  const list = minima.map(({ name, smallest, times }) => `${smallest} in ${name} (${times} times)`).join(', ');
  const nearest = under[0] ?? minima.reduce((least, one) => (one.smallest < least.smallest ? one : least));
  const isHidden = minima.some(({ declared }) => declared === null);
  return report('threshold-recovery', attack, {
    verdict: under.length > 0 ? 'fail' : isHidden ? 'attention' : 'pass',
    statistic: nearest.smallest,
    bound: nearest.declared,
    sentence:
      under.length > 0
        ? `Counts smaller than the declared threshold are published: ${under.map(({ name, smallest }) => `${smallest} in ${name}`).join(', ')}.`
        : `The smallest published counts show the threshold: ${list}.`,
  });
}
