import type { AuditCheck } from '../../../contracts/audit.ts';
import { hourOf } from '../../calendar/time-bins.ts';
import { type CountRow, partitionOfRow } from '../../derive/count-row.ts';
import { isPublished } from '../../mechanisms/publish-decision.ts';
import { report } from '../check.ts';
import type { AuditedDomain, AuditSubject } from '../subject.ts';

/** So many cells that are not published themselves an hour row covers at least: of one it would be a view (C8). */
const FEWEST_CELLS = 2;

/**
 * Hour rows are there only under a floor, reach their own, and cover two cells or more that are not published. Since each
 * of these is below the floor of cells, a row of one would be below that of hours: it would show a count that the floor
 * holds back. Statistic: rows that break a rule. Cost: O(rows).
 */
export function checkHourRows({ cells, hours, domains, certificate }: AuditSubject): AuditCheck {
  const attack = 'Read from the row of an hour what a single cell of that hour holds.';
  const rule = certificate.hours;
  if (!rule && hours.length === 0)
    return report('hour-rows', attack, { verdict: 'not-tried', sentence: 'The release has no rows of whole hours.' });
  const published = cellsByHour(cells);
  const isSound = (row: CountRow): boolean => {
    const domain = domains.get(partitionOfRow(row));
    const hidden = domain ? binsOf(domain, row.time) - (published.get(hourKey(row)) ?? 0) : 0;
    return rule !== undefined && isPublished(row.count, rule.floor) && hidden >= FEWEST_CELLS;
  };
  const broken = hours.filter((row) => !isSound(row)).length;
  return report('hour-rows', attack, {
    verdict: broken === 0 ? 'pass' : 'fail',
    statistic: broken,
    bound: 0,
    sentence:
      broken === 0
        ? `Each of ${hours.length} hour rows covers two cells or more that are not shown, and is at least ${rule?.floor}.`
        : `${broken} hour rows are too small or cover fewer than two cells that are not shown.`,
  });
}

const hourKey = (row: CountRow): string =>
  JSON.stringify([partitionOfRow(row), row.tap, hourOf(row.time), row.location]);

function cellsByHour(cells: readonly CountRow[]): ReadonlyMap<string, number> {
  const published = new Map<string, number>();
  for (const cell of cells) published.set(hourKey(cell), (published.get(hourKey(cell)) ?? 0) + 1);
  return published;
}

const binsOf = ({ times }: AuditedDomain, hour: string): number =>
  [...times].filter((time) => hourOf(time) === hour).length;
