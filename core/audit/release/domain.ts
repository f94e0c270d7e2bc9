import type { AuditCheck } from '../../../contracts/audit.ts';
import { parsePartitionPath, TAPS } from '../../../contracts/names.ts';
import { hourOf } from '../../calendar/time-bins.ts';
import { ALL, type CountRow, rowKey } from '../../derive/count-row.ts';
import { byPartition } from '../../derive/groups.ts';
import { report } from '../check.ts';
import type { AuditedDomain, AuditSubject, PublicDomains } from '../subject.ts';

/**
 * Every key lies in the public domain (C4): a mode, day, time or location that only the data could have named would be
 * a fact about the people in it. And the noisy totals of a partition list all of it: one that is left out would tell
 * that nobody was there. Statistic: rows outside, and totals that are not there. Cost: O(rows).
 */
export function checkDomain(subject: AuditSubject): AuditCheck {
  const { domains, cells, hours, remainder, tables } = subject;
  const outside =
    [cells, remainder, tables.margins ?? []].reduce((sum, rows) => sum + rowsOutside(domains, rows), 0) +
    rowsOutside(inHours(domains), hours);
  const missing = missingTotals(subject);
  const leftOut = wrongLeftOut(subject);
  const problems = [
    ...(outside > 0 ? [`${outside} rows name a day, time or place that is on no public list.`] : []),
    ...(missing > 0 ? [`${missing} times or places of the public lists have no total.`] : []),
    ...(leftOut > 0 ? [`${leftOut} numbers of left-out taps are missing, or nobody was charged for them.`] : []),
  ];
  return report('domain', 'Look for a day, time or place that no public list names, or that was left out.', {
    verdict: problems.length === 0 ? 'pass' : 'fail',
    statistic: outside + missing + leftOut,
    bound: 0,
    sentence:
      problems.length === 0
        ? 'Every published day, time and place is on a public list that was fixed beforehand.'
        : problems.join(' '),
  });
}

/** Totals that the public lists call for, in partitions that have any; a partition without any is a hole. */
function missingTotals({ domains, tables, certificate }: AuditSubject): number {
  const { time, location } = certificate.marginScales;
  return [...byPartition(tables.margins ?? [])].reduce((sum, [partition, rows]) => {
    const domain = domains.get(partition);
    if (!domain) return sum;
    const wanted =
      (time === undefined ? 0 : domain.times.size) + (location === undefined ? 0 : (domain.locations?.size ?? 0));
    const known = new Set(rows.filter((row) => isWanted(domain, row)).map(rowKey));
    return sum + domain.taps.size * wanted - known.size;
  }, 0);

  function isWanted({ taps, times, locations }: AuditedDomain, row: CountRow): boolean {
    if (!taps.has(row.tap)) return false;
    if (row.location === ALL) return time !== undefined && times.has(row.time);
    return row.time === ALL && location !== undefined && (locations?.has(row.location) ?? false);
  }
}

/**
 * Numbers of left-out taps that the certificate calls for and that are not there, or that it does not call for. Every
 * partition that was drawn has one for each end.
 */
function wrongLeftOut({ domains, tables: { leftOut }, certificate }: AuditSubject): number {
  const wanted = new Set(certificate.leftOutScale === undefined ? [] : [...domains].flatMap(endsOf));
  const found = new Set((leftOut ?? []).map(rowKey));
  const without = (keys: ReadonlySet<string>, others: ReadonlySet<string>): number =>
    [...keys].filter((key) => !others.has(key)).length;
  return without(wanted, found) + without(found, wanted);
}

/** Keys of the numbers of left-out taps of one partition. */
function endsOf([path, { taps }]: [path: string, domain: AuditedDomain]): string[] {
  const { part: mode, day } = parsePartitionPath(path)!;
  const ends = TAPS.filter((tap) => taps.has(tap));
  return ends.map((tap) => rowKey({ mode, day, tap, time: ALL, location: ALL, count: 0 }));
}

/** The domains of hour rows: their times are the clock hours of the time bins. */
const inHours = (domains: PublicDomains): PublicDomains =>
  new Map(
    [...domains].map(([partition, domain]) => [
      partition,
      { ...domain, times: new Set([...domain.times].map(hourOf)) },
    ]),
  );

function rowsOutside(domains: PublicDomains, rows: readonly CountRow[]): number {
  return [...byPartition(rows)].reduce((sum, [partition, members]) => {
    const domain = domains.get(partition);
    return sum + (domain ? members.filter((row) => !isInside(domain, row)).length : members.length);
  }, 0);
}

const isInside = ({ taps, times, locations }: AuditedDomain, { tap, time, location }: CountRow): boolean =>
  taps.has(tap) && (time === ALL || times.has(time)) && (location === ALL || (locations?.has(location) ?? true));
