import type { AuditCheck, UnusualDays } from '../../../contracts/audit-report.ts';
import { partitionPath } from '../../../contracts/names.ts';
import { weekdayIndex } from '../../../core/calendar/civil-day.ts';
import { noiseVariance } from '../../../core/statistics/noise-law.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { notTried, warning } from '../../../core/verdict/finding.ts';
import { ALL } from '../../derive/count-row.ts';
import { byPartition, NO_ROWS, rowsOf } from '../../derive/count-table.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';
import type { NoisyMargins } from './noisy-totals.ts';
import { FEWEST_DAYS, median, type UsualRange, usualRanges } from './usual-range.ts';
import { isUnusual, levelOfEach } from './usual-taps.ts';
import { joinNames } from './warning.ts';

const HOURS = 24;
/** A clock moves all hours: what this many hours in a row say alone is an event, or a line that did not run. */
const TOGETHER = 4;
/** Every shift of a clock by whole hours; 23 hours later is an hour earlier. */
const SHIFTS = Array.from({ length: HOURS - 1 }, (_, shift) => shift + 1);

/** Noisy taps of the hours of one day of a part, and the standard deviation of the noise of one hour. */
export type DayProfile = { part: string; day: string; hours: readonly number[]; noise: number };

/** `later`: by how many hours, negative for earlier; 0: as usual. `seen`: a clock that is so wrong, or more, is seen. */
type ShiftedDay = { partition: string; later: number; seen: number | null; days: number };

/** The profiles of all days with noisy totals of times. Hours after midnight of a traffic day are those of the clock. */
export function profilesOf({ margins, certificate }: Pick<NoisyMargins, 'margins' | 'certificate'>): DayProfile[] {
  if (certificate.marginScales.time === undefined) return [];
  const { model, scale } = noiseOfCount(certificate.mechanism, certificate.marginScales.time);
  const variance = noiseVariance(model, scale);
  return [...byPartition(margins).values()].flatMap((table): DayProfile[] => {
    const hours = Array<number>(HOURS).fill(0);
    const draws = Array<number>(HOURS).fill(0);
    // All slices are those of the whole table.
    const { mode: part, day } = table.slices[table.slice[0]!]!;
    for (const { time, location, count } of rowsOf(table))
      if (location === ALL) {
        const hour = Number.parseInt(time, 10) % HOURS;
        hours[hour]! += count;
        draws[hour]! += 1;
      }
    const most = Math.max(...draws);
    return most === 0 ? [] : [{ part, day, hours, noise: Math.sqrt(most * variance) }];
  });
}

/**
 * Days whose taps are spread as those of the weekday are, but at other hours, by the profiles of earlier days, newest
 * first; days with too few earlier ones are left out (usual-profile.proof.md). Cost: 23 shifts for each day.
 */
export function findShifts(
  now: readonly DayProfile[],
  before: readonly DayProfile[],
  unusual: readonly UnusualDays[],
): ShiftedDay[] {
  const level = levelOfEach(now.length);
  const usualNow = now.filter((one) => !isUnusual(unusual, one));
  return [...new Set(usualNow.map(({ part }) => part))].flatMap((part) => {
    const history = before.filter((one) => one.part === part);
    const usual = history.filter((one) => !isUnusual(unusual, one));
    // Each day beside the others of its weekday: a day that was a part of its own reference would differ too little.
    const others = (profile: DayProfile) =>
      usual.filter((one) => one !== profile && weekdayIndex(one.day) === weekdayIndex(profile.day));
    const references = new Map([...history, ...usualNow].map((one) => [one, usualShares(others(one))]));
    const totalAt = (shift: number, profile: DayProfile) => ({
      weekday: weekdayIndex(profile.day),
      isUnusual: isUnusual(unusual, profile),
      ...measureShift(profile, references.get(profile)!, shift),
    });
    const rangesOf = SHIFTS.map((shift) =>
      usualRanges(
        history.map((one) => totalAt(shift, one)),
        level,
      ),
    );
    return usualNow
      .filter((one) => one.part === part)
      .flatMap((profile): ShiftedDay[] => {
        const taps = tapsOf(profile);
        const shifts = SHIFTS.map((shift, at) => {
          const total = totalAt(shift, profile);
          return { shift, ...total, usual: rangesOf[at]!(total.weekday, total.noise) };
        });
        const [first] = shifts;
        if (!first?.usual) return [];
        const best = shifts.reduce((a, b) => (b.nearer > a.nearer ? b : a));
        const isShifted = best.nearer > 0 && best.count > best.usual!.high;
        return [
          {
            partition: partitionPath(profile),
            later: isShifted ? wrap(best.shift) : 0,
            seen: fewestHours(shifts, taps),
            days: first.usual.days,
          },
        ];
      });
  });
}

const tapsOf = ({ hours }: DayProfile): number => Math.max(1, sumOf(hours));

/** The share of each hour: the median of some days. */
const usualShares = (days: readonly DayProfile[]): number[] =>
  Array.from({ length: HOURS }, (_, hour) => {
    const shares = days.map((one) => one.hours[hour]! / tapsOf(one));
    return shares.length === 0 ? 0 : median(shares);
  });

/**
 * How many taps are `shift` hours later than usual, if that is all that differs; the deviation of its noise; and how much
 * nearer the day is to the usual one at those hours, in squares, than at its own, without the hours that say so most.
 */
function measureShift(profile: DayProfile, shares: readonly number[], shift: number) {
  const taps = tapsOf(profile);
  const changes = shares.map((share, hour) => shares[(hour + HOURS - shift) % HOURS]! - share);
  const beyond = changes.map((change, hour) => change * (profile.hours[hour]! - taps * shares[hour]!));
  const nearer = changes.map((change, hour) => beyond[hour]! - (taps * change ** 2) / 2);
  const square = Math.max(sumOf(changes.map((change) => change ** 2)), Number.EPSILON);
  let [most, together] = [Number.NEGATIVE_INFINITY, sumOf(nearer.slice(0, TOGETHER))];
  for (const [first, share] of nearer.entries()) {
    most = Math.max(most, together);
    together += nearer[(first + TOGETHER) % HOURS]! - share;
  }
  return { count: sumOf(beyond) / square, noise: profile.noise / Math.sqrt(square), nearer: sumOf(nearer) - most };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The fewest hours from which on a clock that is so wrong, either way, is seen nine times in ten. */
function fewestHours(shifts: readonly { shift: number; usual: UsualRange | null }[], taps: number): number | null {
  const blind = shifts.filter(({ usual }) => usual!.seenChange > taps).map(({ shift }) => Math.abs(wrap(shift)));
  const from = Math.max(0, ...blind) + 1;
  return from > HOURS / 2 ? null : from;
}

const wrap = (shift: number): number => (shift > HOURS / 2 ? shift - HOURS : shift);

/**
 * Days whose taps are at other hours than is usual for their weekday, as with a wrong clock of a delivery: by noisy
 * totals of times alone, which are published. Statistic: such partitions.
 */
export function checkUsualProfile({ tables, certificate, knowledge: { past, history } }: AuditSubject): AuditCheck {
  const attack = 'Compare the hours of each day with those of the same weekday in earlier publications.';
  const skip = (why: string): AuditCheck => notTried('usual-profile', attack, why);
  const now = profilesOf({ margins: tables.margins ?? NO_ROWS, certificate });
  const days = findShifts(now, past.flatMap(profilesOf), history?.unusual ?? []);
  if (days.length === 0)
    return skip(
      `Not enough history: fewer than ${FEWEST_DAYS} earlier days of the same weekday have noisy totals of times, so that a wrong clock would not be seen here.`,
    );
  const shifts = days.filter(({ later }) => later !== 0);
  const limits = days.flatMap((one) => one.seen ?? []);
  const blind = days.filter((one) => one.seen === null).map(({ partition }) => partition);
  if (shifts.length + limits.length === 0)
    return skip(
      `Not even a clock that is half a day wrong would be seen of ${joinNames(blind)}: they have too few taps for it.`,
    );
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  const sentences = gather(
    shifts.length === 0
      ? `Of ${days.length} partitions none is at hours different from the usual ones.`
      : `At other hours than is usual: ${joinNames(shifts.map(inWords))}. The clock of the delivery may be wrong.`,
    limits.length > 0 &&
      `A clock that is wrong by ${least === most ? least : `${least} to ${most}`} hours or more is seen nine times in ten.`,
    blind.length > 0 && `Not even a clock that is half a day wrong is seen of ${joinNames(blind)}.`,
    days.length < now.length &&
      `Not judged: ${now.length - days.length} partitions with too few days before, or declared as unusual.`,
  );
  return warning('usual-profile', attack, shifts.length, sentences.join(' '));
}

/** `bus/2026-03-04 (2 hours later, by 6 days)` */
const inWords = ({ partition, later, days }: ShiftedDay): string => {
  const hours = Math.abs(later);
  return `${partition} (${hours} ${hours === 1 ? 'hour' : 'hours'} ${later > 0 ? 'later' : 'earlier'}, by ${days} days)`;
};
