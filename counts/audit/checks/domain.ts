import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { parsePartitionPath } from '../../../contracts/names.ts';
import { hourOf } from '../../../core/calendar/time-bins.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { ALL, rowKey } from '../../derive/count-row.ts';
import { byPartition, type CountTable, NO_ROWS, rowsOf } from '../../derive/count-table.ts';
import { TAPS } from '../../tables/tap-tables.ts';
import type { AuditedDomain, AuditSubject, PublicDomains } from '../subject.ts';

/**
 * Every key is in the public domain (C4): a mode, day, time or location that only the data could have named would be
 * a fact about the people in it. And the noisy totals of a partition list all of it: one that is left out would show
 * that nobody was there. Statistic: rows outside, and totals that are not there. Cost: O(rows).
 */
export function checkDomain(subject: AuditSubject): AuditCheck {
  const { domains, cells, hours, remainder, tables } = subject;
  const outside =
    [cells, remainder, tables.margins ?? NO_ROWS].reduce((sum, rows) => sum + rowsOutside(domains, rows), 0) +
    rowsOutside(inHours(domains), hours);
  const gaps = countGaps(subject);
  const leftOut = wrongLeftOut(subject);
  const problems = [
    ...(outside > 0 ? [`${outside} rows name a day, time or place that is on no public list.`] : []),
    ...(gaps > 0 ? [`${gaps} times or places of the public lists have no total.`] : []),
    ...(leftOut > 0 ? [`${leftOut} numbers of left-out taps are missing, or nobody was charged for them.`] : []),
  ];
  const attack = 'Look for a day, time or place that no public list names, or that was left out.';
  return reportNone('domain', attack, outside + gaps + leftOut, {
    right: 'Every published day, time and place is on a public list that was fixed beforehand.',
    wrong: problems.join(' '),
  });
}

/** Totals that the public lists call for, in partitions that have any; a partition without any is a hole. */
function countGaps({ domains, tables, certificate }: AuditSubject): number {
  const margins = tables.margins ?? NO_ROWS;
  const { time, location } = certificate.marginScales;
  const paths = new Set(byPartition(margins).keys());
  const keys = [...domains]
    .filter(([path]) => paths.has(path))
    .flatMap(([path, domain]) => [
      ...(time === undefined ? [] : keysOver(path, domain, [...domain.times], [ALL])),
      ...(location === undefined ? [] : keysOver(path, domain, [ALL], [...(domain.locations ?? [])])),
    ]);
  return countWithout(keys, keysOf(margins));
}

/**
 * Numbers of left-out taps that the certificate calls for and that are not there, or that it does not call for. Every
 * partition that was drawn has one for each end.
 */
function wrongLeftOut({ domains, tables, certificate }: AuditSubject): number {
  const isCounted = certificate.leftOutScale !== undefined;
  const keys = new Set(isCounted ? [...domains].flatMap(([path, domain]) => keysOver(path, domain, [ALL], [ALL])) : []);
  const own = keysOf(tables.leftOut ?? NO_ROWS);
  return countWithout(keys, own) + countWithout(own, keys);
}

/** Keys of the rows of a partition over these times and places. */
function keysOver(path: string, { taps }: AuditedDomain, times: string[], locations: string[]): string[] {
  const { part: mode, day } = parsePartitionPath(path)!;
  return TAPS.filter((tap) => taps.has(tap)).flatMap((tap) =>
    times.flatMap((time) => locations.map((location) => rowKey({ mode, day, tap, time, location }))),
  );
}

const keysOf = (table: CountTable): Set<string> => new Set(Array.from(rowsOf(table), rowKey));

const countWithout = (keys: Iterable<string>, others: ReadonlySet<string>): number =>
  [...keys].filter((key) => !others.has(key)).length;

/** The domains of hour rows: their times are the clock hours of the time bins. */
const inHours = (domains: PublicDomains): PublicDomains =>
  new Map(
    [...domains].map(([partition, domain]) => [
      partition,
      { ...domain, times: new Set([...domain.times].map(hourOf)) },
    ]),
  );

function rowsOutside(domains: PublicDomains, table: CountTable): number {
  let outside = 0;
  for (const [partition, rows] of byPartition(table)) {
    const domain = domains.get(partition);
    if (!domain) {
      outside += rows.count.length;
      continue;
    }
    const slices = rows.slices.map(({ tap }) => domain.taps.has(tap));
    const times = rows.times.map((time) => time === ALL || domain.times.has(time));
    const locations = rows.locations.map((place) => place === ALL || (domain.locations?.has(place) ?? true));
    for (let at = 0; at < rows.count.length; at++)
      if (!(slices[rows.slice[at]!] && times[rows.time[at]!] && locations[rows.location[at]!])) outside += 1;
  }
  return outside;
}
