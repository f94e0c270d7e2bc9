import { parsePartitionPath } from '../../../contracts/names.ts';
import { weekdayIndex } from '../../../core/calendar/civil-day.ts';
import type { AuditSubject } from '../subject.ts';
import { noisyTotals, type PartitionTotals } from './noisy-totals.ts';
import { missOfEach, ownTotals } from './warning.ts';

/** A partition, by `mode/day`, with those of its mode on the same weekday in earlier publications: one or more. */
export type Compared = { partition: string; now: PartitionTotals; earlier: readonly PartitionTotals[] };

/**
 * The partitions that can be compared, in the order of the window; `each` intervals are needed for one of them. Cost:
 * O(margins of all publications), and a law of sums for each number of rows that differs.
 */
export function sameWeekdays(subject: AuditSubject, each: number): Compared[] {
  const { domains, knowledge } = subject;
  const confidence = 1 - missOfEach(subject, each);
  const now = ownTotals(subject, confidence);
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
