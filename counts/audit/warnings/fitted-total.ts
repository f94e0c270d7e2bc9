import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import { notTried, warning } from '../../../core/verdict/finding.ts';
import { byPartition, type CountTable, NO_ROWS, totalOf } from '../../derive/count-table.ts';
import { sideOf } from '../../derive/table-lines.ts';
import { noiseOfCells } from '../checks/declared-noise.ts';
import type { AuditSubject } from '../subject.ts';
import type { Estimate } from './noisy-totals.ts';
import { HOW_OFTEN_WRONG, joinNames, missOfEach, ownTotals } from './warning.ts';

/** How far the tables may be from the noisy total beyond noise, as a part of it. */
const APART = 0.05;

/**
 * A partition whose tables add up to far more, or fewer, taps than its noisy total says: remainder rows are never
 * negative, so that tables cannot follow a total below their published cells. Noise of the published cells and of the
 * total together is allowed for, and a twentieth of the total besides; how often honest releases are named all the same
 * is measured (warnings.test.ts). Statistic: such partitions. Cost: O(n), and a law of sums for each partition.
 */
export function checkFittedTotal(subject: AuditSubject): AuditCheck {
  const attack = 'Compare what the tables add up to with the noisy totals.';
  const { cells, hours, remainder, certificate } = subject;
  const confidence = 1 - missOfEach(subject, 2);
  const totals = ownTotals(subject, confidence);
  if (totals.size === 0)
    return notTried('fitted-total', attack, 'The release has no noisy totals, so that nothing was fitted to them.');
  const { model, scale } = noiseOfCells(certificate);
  const [ownCells, ownHours, ownRemainder] = [byPartition(cells), byPartition(hours), byPartition(remainder)];
  const apart = [...totals].flatMap(([partition, { taps }]) => {
    const rows = ownCells.get(partition) ?? NO_ROWS;
    const sum = tableTotal(rows, ownHours.get(partition) ?? NO_ROWS, ownRemainder.get(partition) ?? NO_ROWS);
    const draws = rows.count.length;
    const noise = draws === 0 ? 0 : sumHalfWidth(model, [[scale, draws]], confidence).halfWidth;
    return isApart(sum, taps, noise) ? [`${partition} (tables ${sum}, noisy total ${taps.noisy})`] : [];
  });
  const sentence =
    apart.length === 0
      ? 'The tables of every partition add up to its noisy total, apart from noise.'
      : `The tables do not add up to the noisy total: ${joinNames(apart)}. ${HOW_OFTEN_WRONG}`;
  return warning('fitted-total', attack, apart.length, sentence);
}

/** What the time table of a partition adds up to, or, without remainder rows of times, the location table. */
function tableTotal(cells: CountTable, hours: CountTable, remainder: CountTable): number {
  const ofTimes = sideOf(remainder, 'time');
  return totalOf(cells) + (ofTimes.count.length > 0 ? totalOf(ofTimes) : totalOf(remainder) + totalOf(hours));
}

const isApart = (sum: number, { low, high }: Estimate, noise: number): boolean =>
  sum > Math.max(0, high) * (1 + APART) + noise || sum < low * (1 - APART) - noise;
