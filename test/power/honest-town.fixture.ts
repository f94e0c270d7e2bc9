import { addDays, weekdayIndex } from '../../core/calendar/civil-day.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import type { History } from '../../counts/audit/subject.ts';
import type { DayProfile } from '../../counts/audit/warnings/usual-profile.ts';
import type { DayTotal } from '../../counts/readers/shown-taps.ts';

/**
 * The town of docs/power.md: four modes, from many taps to hardly more than noise, on seven days. Its days differ by a
 * trend of up to a tenth a year, a season of up to a twentieth, weeks (3 %, each like the one before) and days (4 %, and
 * one in twenty 10 %); holidays have half of the taps, and are declared. Noise has a standard deviation of 60.
 */
export const TOWN = { train: 200_000, bus: 40_000, tram: 6000, ferry: 300 } as const;
const PROFILE = [1, 1.02, 1.03, 1.04, 1.08, 0.7, 0.5];
const NOISE = 60;
const HALF_WIDTH = Math.round(1.96 * NOISE);
const FIRST = '2026-01-05';

/** Towns are made by the seeds from here on: no constant of a check was chosen with them. */
const FIRST_SEED = 700_000;

/** In how many of a number of towns something is seen. */
export const countSeen = (runs: number, isSeen: (seed: number) => boolean): number =>
  Array.from({ length: runs }, (_, run) => isSeen(FIRST_SEED + run)).filter((seen) => seen).length;

/** What becomes of a day of the last week: the share of its taps that is published. */
export type Fate = (part: string, weekday: number) => number;

const lawsOf = (random: RandomSource) => {
  const uniform = (): number => (random.uint32() + 0.5) / 2 ** 32;
  return { uniform, normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()) };
};

/** The totals of the last of a number of weeks, and the history that the weeks before are. */
export function townWeek(random: RandomSource, weeks: number, fate: Fate = () => 1) {
  const { uniform, normal } = lawsOf(random);
  const unusual: History['unusual'] = [];
  const ofWeek: DayTotal[][] = Array.from({ length: weeks }, () => []);
  const isHoliday = Array.from({ length: 7 * weeks }, () => uniform() < 0.02);
  for (const [day, is] of isHoliday.entries())
    if (is) unusual.push({ from: addDays(FIRST, day), to: addDays(FIRST, day), reason: 'holiday' });
  for (const [part, level] of Object.entries(TOWN)) {
    const [trend, season, phase] = [0.2 * uniform() - 0.1, 0.05 * uniform(), 2 * Math.PI * uniform()];
    let kept = 0.03 * normal();
    for (const [week, totals] of ofWeek.entries()) {
      kept = 0.6 * kept + 0.024 * normal();
      for (const [weekday, profile] of PROFILE.entries()) {
        const wild = uniform() < 0.05 ? 0.1 : 0.04;
        const slow = (trend * week) / 52 + season * Math.sin(phase + (2 * Math.PI * week) / 52);
        const taps =
          level * profile * Math.exp(slow + kept + wild * normal()) * (isHoliday[7 * week + weekday] ? 0.5 : 1);
        const count = Math.round(taps * (week === weeks - 1 ? fate(part, weekday) : 1) + NOISE * normal());
        const interval = { low: Math.max(0, count - HALF_WIDTH), high: count + HALF_WIDTH };
        totals.push({ part, day: addDays(FIRST, 7 * week + weekday), count, ...interval });
      }
    }
  }
  const read = ofWeek.slice(0, -1).map((rows, week) => ({ release: `town/${week}`, manifest: '', totals: '', rows }));
  const history: History = { read: read.reverse(), left: [], unusual };
  return { totals: ofWeek.at(-1)!, history };
}

/** Humps of a day: the hour of each, its width in hours, its share. */
type Humps = readonly (readonly [hour: number, width: number, share: number])[];
const WORKDAY: Humps = [
  [8, 1.2, 0.3],
  [17.2, 1.6, 0.36],
  [13, 3.5, 0.28],
  [21, 2, 0.06],
];
const WEEKEND: Humps = [
  [14.5, 3.8, 0.8],
  [23, 2, 0.2],
];
/** Noise of one hour, where the rows of a day have NOISE together. */
const HOUR_NOISE = NOISE / Math.sqrt(24);

/**
 * The same town by hours: a day of work has two peaks, the weekend one hump. Each mode has its peaks up to half an hour
 * from those; each day is early or late by 8 minutes, each hour differs by 6 %; one day in twenty has an evening hour
 * with 15 % of the taps more, and one in twenty lost two thirds of three hours. `late`: hours by which the clock of
 * the days of the last week is wrong.
 */
export function townProfiles(random: RandomSource, weeks: number, late: (part: string, weekday: number) => number) {
  const { totals, history } = townWeek(random, weeks);
  const { uniform, normal } = lawsOf(random);
  const offset = new Map(Object.keys(TOWN).map((part) => [part, uniform() - 0.5]));
  const profile = ({ part, day, count }: DayTotal, wrong: number): DayProfile => {
    const weekday = weekdayIndex(day);
    const moved = offset.get(part)! + (8 / 60) * normal();
    const heights = Array.from({ length: 24 }, (_, hour) => {
      const height = (weekday < 5 ? WORKDAY : WEEKEND).reduce((sum, [centre, width, share]) => {
        const distance = ((((hour - centre - moved + 36) % 24) + 24) % 24) - 12;
        return sum + (share / width) * Math.exp(-(distance ** 2) / (2 * width ** 2));
      }, 0);
      return height * Math.exp(0.06 * normal());
    });
    const all = heights.reduce((sum, height) => sum + height, 0);
    if (uniform() < 0.05) heights[18 + Math.floor(5 * uniform())]! += 0.15 * all;
    const broken = uniform() < 0.05 ? 6 + Math.floor(14 * uniform()) : 24;
    const ran = heights.map((height, hour) => (hour >= broken && hour < broken + 3 ? height / 3 : height));
    const sum = ran.reduce((total, height) => total + height, 0);
    const hours = ran.map((_, hour) =>
      Math.round((count * ran[(hour - wrong + 24) % 24]!) / sum + HOUR_NOISE * normal()),
    );
    return { part, day, hours, noise: HOUR_NOISE };
  };
  return {
    now: totals.map((total) => profile(total, late(total.part, weekdayIndex(total.day)))),
    before: history.read.flatMap(({ rows }) => rows.map((total) => profile(total, 0))),
    unusual: history.unusual,
  };
}
