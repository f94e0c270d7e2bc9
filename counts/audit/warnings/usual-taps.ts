import type { AuditCheck, AuditReport, UnusualDays } from '../../../contracts/audit-report.ts';
import { partitionPath } from '../../../contracts/names.ts';
import { weekdayIndex } from '../../../core/calendar/civil-day.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { percent } from '../../../core/text/wording.ts';
import { notTried, warning } from '../../../core/verdict/finding.ts';
import type { DayTotal } from '../../readers/shown-taps.ts';
import type { AuditSubject, History } from '../subject.ts';
import { comparePlaces } from './changed-places.ts';
import { FEWEST_DAYS, type UsualRange, usualRanges, type WeekdayTotal } from './usual-range.ts';
import { joinNames } from './warning.ts';

/**
 * Honest weeks of which one would be named if days had the law of the range. Some are wilder, and one in 100 is promised
 * and measured (docs/power.md): by 100 here it was 1.08 in 100 after eight weeks.
 */
const HONEST_WEEKS = 150;
/** The chance, on one side, that an honest one of this number of partitions is named. */
export const levelOfEach = (partitions: number): number => 1 / (2 * HONEST_WEEKS * Math.max(1, partitions));

/** Half the width of a 95 % interval, in standard deviations. */
const DEVIATIONS_OF_95 = 1.96;

/** A published total, those of the same weekday before, newest first, and what is usual; null: too few are known. */
type Judged = { partition: string; now: DayTotal; before: readonly number[]; usual: UsualRange | null };

/** Is the day declared as one that is not like others of its weekday? */
export const isUnusual = (unusual: readonly UnusualDays[], { part, day }: Pick<DayTotal, 'part' | 'day'>): boolean =>
  unusual.some(({ from, to, parts }) => from <= day && day <= to && (parts?.includes(part) ?? true));

const noiseOf = ({ count, high }: DayTotal): number => ((high ?? count) - count) / DEVIATIONS_OF_95;

/** The totals of a release beside those of its history; days that are declared as unusual count on neither side. */
export function judgeTotals(totals: readonly DayTotal[], { read, unusual }: History): Judged[] {
  const dayOf = (total: DayTotal): WeekdayTotal => {
    const day = { weekday: weekdayIndex(total.day), isUnusual: isUnusual(unusual, total) };
    return { ...day, count: total.count, noise: noiseOf(total) };
  };
  const past = read.flatMap(({ rows }) => rows).filter(({ high }) => high !== undefined);
  const histories = new Map([...Map.groupBy(past, ({ part }) => part)].map(([part, days]) => [part, days.map(dayOf)]));
  const level = levelOfEach(totals.length);
  const rangesOf = new Map([...histories].map(([part, history]) => [part, usualRanges(history, level)]));
  return totals
    .filter((now) => now.high !== undefined && !isUnusual(unusual, now))
    .map((now) => {
      const weekday = weekdayIndex(now.day);
      const before = (histories.get(now.part) ?? []).filter((one) => one.weekday === weekday && !one.isUnusual);
      const usual = rangesOf.get(now.part)?.(weekday, noiseOf(now)) ?? null;
      return { partition: partitionPath(now), now, before: before.map(({ count }) => count), usual };
    });
}

/** Is a total below the usual range, or above it? Null where it is neither, or nobody can tell. */
export const sideOfUsual = ({ now, usual }: Judged): 'fewer' | 'more' | null =>
  usual && now.count < usual.low ? 'fewer' : usual && now.count > usual.high ? 'more' : null;

/**
 * Partitions whose taps are far fewer, or far more, than is usual for their weekday, by all attested publications before
 * (usual-range.proof.md): a lost or a doubled delivery, or a day that nobody declared as a holiday. Of a history that is
 * not whole the missing and the strange are named, too. Statistic: such partitions and publications.
 */
export function checkUsualTaps({ totals, knowledge: { history } }: AuditSubject): AuditCheck {
  const attack = 'Compare each partition with the same weekday of earlier publications.';
  const entries = history && totals ? judgeTotals(totals, history) : [];
  const partitions = entries.filter(({ usual }) => usual);
  const gaps = (history?.left ?? []).map(({ release, reason }) => `${release} (${reason})`);
  if (partitions.length === 0 && gaps.length === 0)
    return notTried(
      'usual-taps',
      attack,
      totals?.every(({ high }) => high === undefined)
        ? 'The totals of this release have no interval. So a lost day is not looked for, whatever the history: look at the days yourself.'
        : `Not enough history: fewer than ${FEWEST_DAYS} earlier days of the same weekday have totals with an interval, so that a lost day would not be seen here.`,
    );
  const [fewer, more] = (['fewer', 'more'] as const).map((side) => entries.filter((one) => sideOfUsual(one) === side));
  const statistic = fewer!.length + more!.length + gaps.length;
  const sentences = gather(
    statistic === 0 && `Of ${partitions.length} partitions none has far more or fewer taps than is usual.`,
    sentenceOf('fewer', fewer!),
    sentenceOf('more', more!),
    gaps.length > 0 && `The history is not whole: ${joinNames(gaps)}.`,
    powerInWords(partitions),
    partitions.length < (totals?.length ?? 0) &&
      `Not judged: ${(totals?.length ?? 0) - partitions.length} partitions with too few days before, or declared as unusual.`,
  );
  return warning('usual-taps', attack, statistic, sentences.join(' '));
}

const sentenceOf = (word: 'fewer' | 'more', partitions: readonly Judged[]): string | false =>
  partitions.length > 0 && `Far ${word} taps than is usual: ${joinNames(partitions.map(inWords))}.`;

/** `bus/2026-03-04 (noisy total 310, usual 8200 to 9904 by 12 days)` */
const inWords = ({ partition, now, usual }: Judged): string =>
  `${partition} (noisy total ${now.count}, usual ${Math.ceil(usual!.low)} to ${Math.floor(usual!.high)} by ${usual!.days} days)`;

/** How small a loss would have been seen, of the best judged partition and of the worst. */
function powerInWords(partitions: readonly Judged[]): string[] {
  const lossOf = ({ usual }: Judged): number =>
    usual!.centre > 0 ? usual!.seenChange / usual!.centre : Number.POSITIVE_INFINITY;
  const losses = partitions.map(lossOf).filter((loss) => loss <= 1);
  losses.sort((a, b) => a - b);
  const blind = partitions.filter((one) => lossOf(one) > 1).map(({ partition }) => partition);
  const [least, most] = [losses[0], losses.at(-1)].map((loss) => percent(loss ?? 1));
  return gather(
    losses.length > 0 &&
      `A partition that had lost ${least}${least === most ? '' : ` (where it is seen worst, ${most})`} of its taps would be named nine times in ten; one that had lost fewer may not be.`,
    blind.length > 0 && `Not even the loss of all taps is seen of ${joinNames(blind)}.`,
  );
}

/** The history as the report has it: digests, the totals of each day beside those before, and changed places. */
export const reportHistory = (subject: AuditSubject, history: History): NonNullable<AuditReport['history']> => ({
  ...history,
  read: history.read.map(({ rows: _, ...digests }) => digests),
  days: judgeTotals(subject.totals ?? [], history).map(({ partition, now, before, usual }) => ({
    partition,
    count: now.count,
    before,
    usual: usual && [Math.ceil(usual.low), Math.floor(usual.high)],
  })),
  places: comparePlaces(subject),
});
