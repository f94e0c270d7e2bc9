import type { AuditCheck } from '../../contracts/audit.ts';
import { partitionPath } from '../../contracts/names.ts';
import { ALL, type CountRow } from '../derive/count-row.ts';
import { report } from './check.ts';
import type { AuditSubject, PublicDomains } from './subject.ts';

/**
 * Every key lies in the public domain (C4): a mode, day, time or location that only the data could have named would be
 * a fact about the people in it. And the noisy totals of a partition list all of it: one that is left out would tell
 * that nobody was there. Statistic: rows outside, and totals that are not there.
 */
export function checkDomain(subject: AuditSubject): AuditCheck {
  const { domains, cells, remainder, tables } = subject;
  const rows = [...cells, ...remainder, ...(tables.margins ?? [])];
  const outside = rows.filter((row) => !isInside(domains, row)).length;
  const missing = missingTotals(subject);
  const problems = [
    ...(outside > 0 ? [`${outside} rows name a day, time or place that is on no public list.`] : []),
    ...(missing > 0 ? [`${missing} times or places of the public lists have no total.`] : []),
  ];
  return report('domain', 'Look for a day, time or place that no public list names, or that was left out.', {
    verdict: problems.length === 0 ? 'pass' : 'fail',
    statistic: outside + missing,
    bound: 0,
    sentence:
      problems.length === 0
        ? 'Every published day, time and place is on a public list that was fixed beforehand.'
        : problems.join(' '),
  });
}

/** Totals that the public lists call for, in partitions that have any; a partition without any is a hole. */
function missingTotals({ domains, tables, certificate }: AuditSubject): number {
  const totals = Map.groupBy(tables.margins ?? [], partitionPath);
  const { time, location } = certificate.marginScales;
  return [...totals].reduce((sum, [partition, rows]) => {
    const domain = domains.get(partition);
    if (!domain) return sum;
    const times = time === undefined ? [] : [...domain.times];
    const locations = location === undefined ? [] : [...(domain.locations ?? [])];
    const known = new Set(rows.map((row) => `${row.tap} ${row.time} ${row.location}`));
    const wanted = [...domain.taps].flatMap((tap) => [
      ...times.map((label) => `${tap} ${label} ${ALL}`),
      ...locations.map((place) => `${tap} ${ALL} ${place}`),
    ]);
    return sum + wanted.filter((key) => !known.has(key)).length;
  }, 0);
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
