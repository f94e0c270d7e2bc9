import type { AuditCheck } from '../contracts/audit-report.ts';
import { report } from '../core/verdict/finding.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { smallestCount } from './foreign-noise.ts';
import type { ForeignSubject } from './foreign-subject.ts';

const ATTACK = 'Find out whether the same taps are counted in several tables, each with noise of its own.';

/**
 * Dependence: each tap that is counted in k tables with noise of their own is protected k times less than one table
 * makes believe. Totals that are no sums of cells prove it. Where no tables overlap, thresholds that differ point to it:
 * sums of cells have none of their own. Statistic: draws of one tap, as far as they show; bound: one.
 */
export function checkForeignDependence(subject: ForeignSubject): AuditCheck {
  const { differences: compared } = subject;
  const gaps = compared.filter(({ difference }) => difference !== 0);
  if (compared.length > 0) {
    const kinds = new Set(gaps.map(({ total }) => (total.location === ALL ? 'time' : 'location')));
    return report('dependence', ATTACK, {
      holds: kinds.size === 0,
      statistic: 1 + kinds.size,
      bound: 1,
      right: 'The totals are sums of published cells: every tap has been drawn once.',
      wrong: `Each tap was drawn ${1 + kinds.size} times: the totals by ${[...kinds].join(' and by ')} have noise of their own, and what is spent on them adds up.`,
    });
  }
  const bare = subject.tables.filter(({ declared }) => declared.certificate === null);
  const thresholds = bare.flatMap((table) => {
    const smallest = smallestCount(table);
    return smallest === null ? [] : [{ kind: table.kind, smallest }];
  });
  const fine = thresholds.filter(({ kind }) => kind === 'time-location').map(({ smallest }) => smallest);
  const own = thresholds.filter(({ kind, smallest }) => kind !== 'time-location' && smallest > Math.max(...fine));
  const apart = fine.length > 0 && own.length > 0;
  return report('dependence', ATTACK, {
    verdict: apart ? 'attention' : 'pass',
    statistic: apart ? 2 : 1,
    bound: 1,
    sentence: apart
      ? `Totals have a threshold of their own (${own.map(({ smallest }) => smallest).join(', ')}; cells ${fine.join(', ')}), which sums of cells would not have: it seems that each table was drawn by itself. Where two of them cover the same days, suppressed cells show in the difference.`
      : 'Nothing shows that the same taps were drawn more than once.',
  });
}
