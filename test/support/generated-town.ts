import { addDays } from '../../core/calendar/civil-day.ts';
import { binLabels } from '../../core/calendar/time-bins.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { PlacedCounts } from '../../counts/tables/columns.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';
import { seededSource } from './seeded-source.ts';

/**
 * Invented towns: one to six modes of 8 to 1,200 listed places, of which a part is served; from towns where a few places
 * and the peaks have most taps to flat ones, where places and hours are nearly alike; places where people live fill up in
 * the morning and places where they work in the afternoon; quiet weekends; and days and places that are busier than
 * usual. Every constant of a town is drawn from the seed, within wide bounds.
 */
export type Town = {
  /** What its people would say: one significant digit. */
  tapsPerWeek: number;
  /** Powers of the weights of places and of hours: 1 where a few have most taps; near 0 they are nearly alike. */
  steepness: { places: number; hours: number };
  modes: { mode: string; places: string[] }[];
  /** Exact counts of a week with time bins of `minutes` minutes, a partition for each mode and day. */
  week(minutes: number): TownPartition[];
  /** The same of the week after it: other people, other busy places and days, and as a whole a little more or less. */
  nextWeek(minutes: number): TownPartition[];
};

export type TownPartition = { part: string; day: string; domain: PublicDomain; counts: PlacedCounts };

const FIRST_DAY = '2026-03-02';
/** Finest bins; longer ones are sums of these. */
const MINUTES = 15;
const TAPS: readonly Tap[] = ['off', 'on'];
/** How much weeks and days of a town differ, as in the town of docs/power.md. */
const WEEKS_DIFFER = 0.03;
const DAYS_DIFFER = 0.04;
type Counted = { part: string; day: string; counts: Float64Array; listed: number };

/** A number with one significant digit. */
export const oneDigit = (figure: number): number => Number(figure.toPrecision(1));

export function generatedTown(seed: number, tapsPerWeek: number): Town {
  const source = seededSource(seed);
  const uniform = (low = 0, high = 1): number => low + ((high - low) * (source.uint32() + 0.5)) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const between = (low: number, high: number): number => Math.exp(uniform(Math.log(low), Math.log(high)));
  const counted = (mean: number): number => {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    const limit = Math.exp(-mean);
    let taps = 0;
    for (let product = uniform(); product > limit; product *= uniform()) taps++;
    return taps;
  };
  const share = (weights: readonly number[]): number[] => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
  const labels = binLabels('00:00', '24:00', MINUTES, []);
  const peak = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));
  const profile = (morning: number, evening: number, noon: number): number[] => {
    const [first, last] = [uniform(7.3, 8.7), uniform(16.5, 18)];
    return share(
      labels.map((_, bin) => {
        const hour = (bin + 0.5) / 4;
        const busy = morning * peak(hour, first, 1.1) + evening * peak(hour, last, 1.5);
        return (0.02 + busy + noon * peak(hour, 13, 3.5) + 0.12 * peak(hour, 22, 2)) ** steepness.hours;
      }),
    );
  };
  const steepness = { places: uniform(0.1, 1), hours: uniform(0.1, 1) };
  const actual = tapsPerWeek * uniform(0.75, 1.3);
  const weekend = uniform(0.3, 0.9);
  const commuting = uniform(0.2, 1);
  const tail = uniform(0.5, 1.2);
  const unevenness = uniform(0.1, 0.4);
  const modes = Array.from({ length: Math.ceil(uniform(0, 6)) }, (_, number) => {
    const listed = Math.round(between(8, 1200));
    const served = Math.max(4, Math.round(listed * uniform(0.4, 1)));
    return { mode: `mode-${number + 1}`, listed, served, taps: Math.sqrt(served) * between(0.3, 3) };
  });
  const shares = share(modes.map(({ taps }) => taps));
  const dayShares = share([1, 1, 1, 1, 1, weekend, weekend].map((weight) => weight * uniform(0.9, 1.1)));
  const finest = modes.flatMap(({ mode, listed, served }, number) => {
    const end = uniform(3, 6);
    const rough = uniform(0.2, 0.8);
    const weights = share(
      Array.from({ length: listed }, (_, rank) =>
        rank < served
          ? ((rank + 1) ** -tail * Math.exp((-end * rank) / served + rough * normal())) ** steepness.places
          : 0,
      ),
    );
    // A place where people live, of 0, to one where they work, of 1.
    const work = weights.map(() => uniform());
    const profiles = work.map((part) => {
      const out = profile(1 - commuting * part, 1 - commuting * (1 - part), 0.35);
      const home = profile(1 - commuting * (1 - part), 1 - commuting * part, 0.35);
      return { on: out, off: home, quiet: profile(0, 0, 1) };
    });
    return dayShares.map((ofDay, index) => {
      const countedWith = (more: number): Float64Array => {
        const counts = new Float64Array(TAPS.length * labels.length * listed);
        for (const [place, weight] of weights.entries()) {
          if (weight === 0) continue;
          const busy = more * Math.exp(unevenness * normal());
          for (const [tapAt, tap] of TAPS.entries())
            for (const [bin, atTime] of (index > 4 ? profiles[place]!.quiet : profiles[place]![tap]).entries()) {
              const mean = (actual * shares[number]! * ofDay * weight * busy * atTime) / TAPS.length;
              counts[(tapAt * labels.length + bin) * listed + place] = counted(mean);
            }
        }
        return counts;
      };
      return { part: mode, day: addDays(FIRST_DAY, index), counts: countedWith(1), countedWith, listed };
    });
  });
  const placesOf = (listed: number): string[] =>
    Array.from({ length: listed }, (_, place) => String(place).padStart(4, '0'));
  const binned = (minutes: number, { part, day, counts, listed }: Counted): TownPartition => {
    const times = binLabels('00:00', '24:00', minutes, []);
    const domain = { taps: [...TAPS], times, locations: placesOf(listed) };
    const dense = new Float64Array(TAPS.length * times.length * listed);
    for (const [at, taps] of counts.entries()) {
      const [line, place] = [Math.floor(at / listed), at % listed];
      const [tap, bin] = [Math.floor(line / labels.length), line % labels.length];
      dense[(tap * times.length + Math.floor((bin * MINUTES) / minutes)) * listed + place]! += taps;
    }
    const places = Uint32Array.from([...dense.keys()].filter((at) => dense[at]! > 0));
    return { part, day, domain, counts: { places, counts: Float64Array.from(places, (at) => dense[at]!) } };
  };
  return {
    tapsPerWeek: oneDigit(tapsPerWeek),
    steepness,
    modes: modes.map(({ mode, listed }) => ({ mode, places: placesOf(listed) })),
    week: (minutes) => finest.map((partition) => binned(minutes, partition)),
    nextWeek: (minutes) => {
      const more = Math.exp(WEEKS_DIFFER * normal());
      const next = finest.map(({ countedWith, ...one }) => ({
        ...one,
        counts: countedWith(more * Math.exp(DAYS_DIFFER * normal())),
      }));
      return next.map((partition) => binned(minutes, partition));
    },
  };
}
