import { addDays } from '../../core/calendar/civil-day.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import type { History } from '../../counts/audit/subject.ts';
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

/** What becomes of a day of the last week: the share of its taps that is published. */
export type Fate = (part: string, weekday: number) => number;

/** The totals of the last of so many weeks, and the history that the weeks before are. */
export function townWeek(random: RandomSource, weeks: number, fate: Fate = () => 1) {
  const uniform = (): number => (random.uint32() + 0.5) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
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
