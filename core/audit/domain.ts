import type { AuditCheck } from '../../contracts/audit.ts';
import { partitionPath } from '../../contracts/names.ts';
import { ALL, type CountRow } from '../derive/count-row.ts';
import { report } from './check.ts';
import type { AuditSubject, PublicDomains } from './subject.ts';

/**
 * Every key lies in the public domain (C4): a mode, day, time or location that only the data could have named would be
 * a fact about the people in it. Statistic: rows outside.
 */
export function checkDomain({ domains, cells, remainder, tables }: AuditSubject): AuditCheck {
  const rows = [...cells, ...remainder, ...(tables.margins ?? [])];
  const outside = rows.filter((row) => !isInside(domains, row)).length;
  return report('domain', 'Look for a day, time or place that no public list names.', {
    verdict: outside === 0 ? 'pass' : 'fail',
    statistic: outside,
    bound: 0,
    sentence:
      outside === 0
        ? 'Every published day, time and place is on a public list that was fixed beforehand.'
        : `${outside} rows name a day, time or place that is on no public list.`,
  });
}

function isInside(domains: PublicDomains, row: CountRow): boolean {
  const domain = domains.get(partitionPath(row));
  if (!domain) return false;
  return (
    domain.taps.has(row.tap) &&
    (row.time === ALL || domain.times.has(row.time)) &&
    (row.location === ALL || (domain.locations?.has(row.location) ?? true))
  );
}
