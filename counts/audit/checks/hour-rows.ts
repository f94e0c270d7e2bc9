import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { hourOf } from '../../../core/calendar/time-bins.ts';
import { notTried, reportNone } from '../../../core/verdict/finding.ts';
import { partitionOfRow } from '../../derive/count-row.ts';
import { bySlice, type CountTable, NO_ROWS } from '../../derive/count-table.ts';
import { isPublished } from '../../mechanisms/publish-decision.ts';
import { codesIn } from '../../tables/list-places.ts';
import type { AuditedDomain, AuditSubject, PublicDomains } from '../subject.ts';

/** Cells not published themselves that an hour row covers at least: of one it would be a view (C8). */
const FEWEST_CELLS = 2;

/**
 * Hour rows are there only under a floor, reach their own, and cover two cells or more that are not published. Since each
 * of these is below the floor of cells, a row of one would be below that of hours: it would show a count that the floor
 * holds back. Statistic: rows that break a rule. Cost: O(rows).
 */
export function checkHourRows({ cells, hours, domains, certificate }: AuditSubject): AuditCheck {
  const attack = 'Read from the row of an hour what a single cell of that hour holds.';
  const rule = certificate.hours;
  if (!rule && hours.count.length === 0)
    return notTried('hour-rows', attack, 'The release has no rows of whole hours.');
  const breaches = countBreaches(hours, cells, domains, rule?.floor ?? null);
  return reportNone('hour-rows', attack, breaches, {
    right: `Each of ${hours.count.length} hour rows covers two cells or more that are not shown, and is at least ${rule?.floor}.`,
    wrong: `${breaches} hour rows are too small or cover fewer than two cells that are not shown.`,
  });
}

/** How many rows are under the floor of hours, or cover fewer hidden cells; without a floor all of them. */
function countBreaches(hours: CountTable, cells: CountTable, domains: PublicDomains, floor: number | null): number {
  const cellsOf = bySlice(cells);
  const hourOfTime = codesIn(cells.times.map(hourOf), hours.times);
  const placeOf = codesIn(cells.locations, hours.locations);
  const tally = new Uint32Array(hours.times.length * hours.locations.length);
  let breaches = 0;
  for (const [slice, rows] of bySlice(hours)) {
    const own = cellsOf.get(slice) ?? NO_ROWS;
    const count = (by: 1 | -1): void => {
      for (let at = 0; at < own.count.length; at++) {
        const [hour, place] = [hourOfTime[own.time[at]!]!, placeOf[own.location[at]!]!];
        if (hour >= 0 && place >= 0) tally[hour * hours.locations.length + place]! += by;
      }
    };
    count(1);
    const domain = domains.get(partitionOfRow(hours.slices[rows.slice[0]!]!));
    const bins = hours.times.map((hour) => (domain ? binsOf(domain, hour) : 0));
    for (let at = 0; at < rows.count.length; at++) {
      const [hour, place] = [rows.time[at]!, rows.location[at]!];
      const rest = bins[hour]! - tally[hour * hours.locations.length + place]!;
      if (floor === null || !isPublished(rows.count[at]!, floor) || rest < FEWEST_CELLS) breaches += 1;
    }
    count(-1);
  }
  return breaches;
}

const binsOf = ({ times }: AuditedDomain, hour: string): number =>
  [...times].filter((time) => hourOf(time) === hour).length;
