import { parsePartitionPath } from '../../../contracts/names.ts';
import { weekdayIndex } from '../../calendar/civil-day.ts';
import { NO_ROWS } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';
import { WARNED_WRONGLY } from './named.ts';
import { noisyTotals, type PartitionTotals } from './noisy-totals.ts';

/** A partition, by `mode/day`, with those of its mode on the same weekday in earlier publications: one or more. */
export type Compared = { partition: string; now: PartitionTotals; earlier: readonly PartitionTotals[] };

/**
 * The partitions that can be compared, in the order of the window. All intervals that one of them is judged by hold
 * together, over all partitions, with a chance of at least 999 in 1,000: `each` are needed for one of them
 * (noisy-totals.proof.md). Cost: O(margins of all publications), and a law of sums for each number of rows that differs.
 */
export function sameWeekdays(subject: AuditSubject, each: number): Compared[] {
  const { tables, certificate, unknownPlaces, domains, knowledge } = subject;
  const confidence = 1 - WARNED_WRONGLY / (each * Math.max(1, domains.size));
  const now = noisyTotals({ margins: tables.margins ?? NO_ROWS, certificate, unknownPlaces }, confidence);
  const earlier = new Map<string, PartitionTotals[]>();
  for (const publication of knowledge.past)
    for (const [partition, totals] of noisyTotals(publication, confidence)) {
      const key = modeAndWeekday(partition);
      earlier.set(key, [...(earlier.get(key) ?? []), totals]);
    }
  return [...domains.keys()].flatMap((partition): Compared[] => {
    const [totals, others] = [now.get(partition), earlier.get(modeAndWeekday(partition))];
    return totals && others ? [{ partition, now: totals, earlier: others }] : [];
  });
}

function modeAndWeekday(partition: string): string {
  const { part, day } = parsePartitionPath(partition)!;
  return `${part} ${weekdayIndex(day)}`;
}
