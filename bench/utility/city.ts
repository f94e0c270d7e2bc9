import type { RandomSource } from '../../core/random/random-source.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';

/** A Poisson number of more is a sum of two: its product of uniform numbers would become 0. */
const LARGEST_RATE = 500;

/**
 * A city from a sample of it: every cell has a Poisson number of `times` as many taps, a part `spread` of which is taken
 * from the cell and given to all cells of its mode, day and end in proportion to their times and places. Without that no
 * tap would ever be where none was in the sample. Made with a seeded source, of public or invented weeks only.
 */
export const growCity = (
  sample: readonly ExactPartition[],
  { times, spread }: { times: number; spread: number },
  random: RandomSource,
): ExactPartition[] =>
  sample.map((exact) => {
    const rates = spreadCounts(exact, spread);
    const { taps, times: labels, locations } = exact.domain;
    const counts: CellCount[] = [];
    for (const tap of taps)
      for (const time of labels)
        for (const location of locations) {
          const count = poisson(times * rates(tap, time, location), random);
          if (count > 0) counts.push([tap, time, location, count]);
        }
    return { ...exact, counts };
  });

/** Mean taps of each cell, as many in all as there were. */
function spreadCounts({ counts }: ExactPartition, spread: number) {
  const [cells, ends, atTimes, atPlaces] = Array.from({ length: 4 }, () => new Map<string, number>());
  for (const [tap, time, location, count] of counts) {
    const add = (sums: Map<string, number> | undefined, key: string) => sums!.set(key, (sums!.get(key) ?? 0) + count);
    add(cells, `${tap} ${time} ${location}`);
    add(ends, tap);
    add(atTimes, `${tap} ${time}`);
    add(atPlaces, `${tap} ${location}`);
  }
  return (tap: string, time: string, location: string): number => {
    const own = cells!.get(`${tap} ${time} ${location}`) ?? 0;
    const alike = (atTimes!.get(`${tap} ${time}`) ?? 0) * (atPlaces!.get(`${tap} ${location}`) ?? 0);
    return alike === 0 ? 0 : (1 - spread) * own + (spread * alike) / ends!.get(tap)!;
  };
}

/** Of each tap it is drawn whether it is in the sample. */
export const thinCity = (city: readonly ExactPartition[], share: number, random: RandomSource): ExactPartition[] =>
  city.map((exact) => ({
    ...exact,
    counts: exact.counts.flatMap(([tap, time, location, count]): CellCount[] => {
      let hits = 0;
      for (let one = 0; one < count; one++) if (uniform(random) < share) hits += 1;
      return hits > 0 ? [[tap, time, location, hits]] : [];
    }),
  }));

/** In (0, 1), of 32 bits: enough for data that is made up. */
const uniform = (random: RandomSource): number => (random.uint32() + 0.5) / 2 ** 32;

/** Knuth's product of uniform numbers. */
function poisson(rate: number, random: RandomSource): number {
  if (rate > LARGEST_RATE) return poisson(rate / 2, random) + poisson(rate / 2, random);
  const limit = Math.exp(-rate);
  let count = -1;
  for (let product = 1; product > limit; product *= uniform(random)) count += 1;
  return count;
}
