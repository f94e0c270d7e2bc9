import type { Certificate } from '../../contracts/certificate.ts';
import { computeOnce } from '../../core/memory/function-cache.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { smallestBetween } from '../../core/search/smallest-integer.ts';
import { noiseProbability, noiseTail } from '../../core/statistics/noise-law.ts';
import { noiseOfCount } from '../mechanisms/mechanisms.ts';

/** The public grid that taps are counted on: nothing in it comes from a row. */
export type CountedGrid = {
  /** Days of a release. */
  days: number;
  /** Ends that are published: tap-ons, tap-offs, or both. */
  ends: number;
  /** Length of a time bin in minutes. */
  minutes: number;
  /** Where each bin of a day begins, in minutes after midnight. */
  times: readonly number[];
  /** Listed places of each mode. */
  places: readonly number[];
};

/** From so much to so much. */
export type Range = { low: number; high: number };

/** What a design shows, as shares of all taps of a release: of 1 in cells and in hour rows; errors can be above 1. */
export type Utility = {
  cells: number;
  hours: number;
  /** Sum of the absolute errors of the time totals of single days, and of the location totals. */
  time: number;
  location: number;
};

export type ExpectedUtility = Record<keyof Utility, Range>;

type Design = Pick<Certificate, 'mechanism' | 'scale' | 'threshold' | 'hours' | 'marginScales'>;

/** How many taps a week there are, as people say it, or as an earlier release does, which also says how they spread. */
export type Volume = { tapsPerWeek: number; spread?: number };

/**
 * How unevenly taps spread. With s of 0 and above the place of rank k of n has a weight of k^−s·e^(−6k/n), and a day has
 * the peaks of commuters; below 0 the weights of places and times are flatter, until all are alike at −1. And how far
 * taps are from a figure of one digit. Of generated towns, flat ones among them, nine in ten are between the first and
 * the last (docs/utility.md, Generated towns).
 */
const TOWNS = [
  { spread: -0.5, factor: 0.8 },
  { spread: 0.3, factor: 1 },
  { spread: 1.25, factor: 1.25 },
] as const;
const MIDDLE = TOWNS[1];
const CUT = 6;

/** The totals of nine in ten generated towns were so far from those of the model, as factors of their errors. */
const ERRORS = { low: 0.65, high: 1.25 } as const;

/** Hour rows of bins that are not alike show so much less or more. */
const HOURS = { low: 0.7, high: 1.3 } as const;

/** Where an earlier release says how taps spread, shares are within so much. */
const LIKE_EARLIER = 0.05;

/** Taps of a weekday and of a day of the weekend, as shares of a week. */
const DAY_KINDS = [
  { perWeek: 5, share: 5 / 6 },
  { perWeek: 2, share: 1 / 6 },
] as const;

/**
 * Interval of what a design shows of this number of taps a week, for nine in ten towns: by the grid, the noise and public
 * constants alone. The formulas are in expected-utility.proof.md. Cost: a second at most.
 *
 * @contract C17
 */
export function predictUtility(design: Design, grid: CountedGrid, { tapsPerWeek, spread }: Volume): ExpectedUtility {
  const curves = curvesOf(design, grid);
  const towns = spread === undefined ? TOWNS : [{ spread, factor: 1 }];
  const each = towns.map(({ spread, factor }) =>
    modelUtility(design, grid, { tapsPerWeek: tapsPerWeek * factor, spread }, curves),
  );
  const range = (name: keyof Utility): Range => {
    const all = each.map((utility) => utility[name]);
    return { low: Math.min(...all), high: Math.max(...all) };
  };
  const around = spread === undefined ? 0 : LIKE_EARLIER;
  const share = ({ low, high }: Range): Range => ({ low: Math.max(0, low - around), high: Math.min(1, high + around) });
  const times = ({ low, high }: Range, by: Range): Range => ({ low: low * by.low, high: high * by.high });
  return {
    cells: share(range('cells')),
    hours: design.hours ? share(times(range('hours'), HOURS)) : { low: 0, high: 0 },
    time: times(range('time'), ERRORS),
    location: times(range('location'), ERRORS),
  };
}

/** The flattest spread, and one where hardly a place but the first has taps. */
const SPREADS = { low: -1, high: 3 } as const;

/** Shares in cells beyond these are hardly a tap, or nearly all. */
const TELLING = { low: 0.02, high: 0.98 } as const;

/**
 * What an earlier release says of the next: its taps a week, and the spread at which the cells of its design would add up
 * to such a share of them as they do, with the noise in them. Of hardly a tap in cells, or nearly all, it says no spread
 * where its design would show as few or as many of a town in the middle, since most spreads would do that.
 */
export function earlierVolume(design: Design, grid: CountedGrid, tapsPerWeek: number, cells: number): Volume {
  const curves = curvesOf(design, grid);
  const cellsAt = (spread: number): number => modelUtility(design, grid, { tapsPerWeek, spread }, curves).counted;
  const limit = (share: number): number => Math.min(TELLING.high, Math.max(TELLING.low, share));
  const sought = limit(cells);
  if (sought !== cells && sought === limit(cellsAt(MIDDLE.spread))) return { tapsPerWeek };
  let { low, high }: Range = SPREADS;
  let nearest = { spread: 0, error: Number.POSITIVE_INFINITY };
  for (let step = 0; step < 12; step++) {
    const spread = (low + high) / 2;
    const share = cellsAt(spread);
    const error = Math.abs(share - sought);
    if (error < nearest.error) nearest = { spread, error };
    if (share < sought) low = spread;
    else high = spread;
  }
  return { tapsPerWeek, spread: nearest.spread };
}

/** By how much logarithms of weights are less than those of the model where taps are flatter: 1 for all others. */
const steepness = (spread: number): number => Math.min(1, 1 + spread);

/** Weights of places: groups of ranks that are alike, `size` ranks in each; the weights of all add up to 1. */
function placeGroups(places: number, spread: number): { size: number; weight: number }[] {
  const power = Math.max(0, spread);
  const groups: { size: number; weight: number }[] = [];
  for (let rank = 1; rank <= places; ) {
    const next = Math.min(places + 1, Math.max(rank + 1, Math.floor(rank * 1.2)));
    const middle = (rank + next - 1) / 2;
    groups.push({
      size: next - rank,
      weight: middle ** -power * Math.exp((-CUT * steepness(spread) * middle) / places),
    });
    rank = next;
  }
  const total = groups.reduce((sum, { size, weight }) => sum + size * weight, 0);
  return groups.map(({ size, weight }) => ({ size, weight: weight / total }));
}

/** Share of the taps of a day in each bin: two peaks of commuters, and little traffic at night, unless it is flatter. */
function timeWeights(times: readonly number[], spread: number): number[] {
  const peak = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));
  const weights = times.map((minute) => {
    const hour = (minute / 60) % 24;
    const commuters = peak(hour, 8, 1.1) + 0.9 * peak(hour, 17.4, 1.5);
    return (0.03 + commuters + 0.35 * peak(hour, 13, 3.5) + 0.1 * peak(hour, 22, 2)) ** steepness(spread);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

type Shown = { cell(rate: number): number; hour(rate: number): number; noise(rate: number): number };

/**
 * What a design shows of this number of taps a week, with the middle spread where nothing is known of theirs. `counted`:
 * what its cells add up to, as a share of all taps too: cells without taps are among them that noise alone has lifted.
 */
export function modelUtility(
  { mechanism, threshold, scale, marginScales }: Design,
  { days, ends, times, places }: CountedGrid,
  { tapsPerWeek, spread = MIDDLE.spread }: Volume,
  curves: Shown,
): Utility & { counted: number } {
  const allPlaces = places.reduce((sum, count) => sum + count, 0);
  const groups = placeGroups(allPlaces, spread);
  const atTimes = timeWeights(times, spread);
  const modes = places.map((count) => count / allPlaces);
  const sums = { taps: 0, cells: 0, noise: 0, hours: 0, time: 0, location: 0 };
  for (const { perWeek, share } of DAY_KINDS) {
    const slices = (days * perWeek * ends) / 7;
    const taps = (tapsPerWeek * share) / perWeek / ends;
    const restAtTimes = times.map(() => 0);
    const restAtPlaces = groups.map(({ size }) => ({ size, taps: 0, rest: 0 }));
    for (const [place, { size, weight }] of groups.entries())
      for (const [time, timeWeight] of atTimes.entries()) {
        const rate = taps * weight * timeWeight;
        const [inCell, inHour] = [rate * curves.cell(rate), rate * curves.hour(rate)];
        sums.cells += slices * size * inCell;
        sums.noise += slices * size * curves.noise(rate);
        sums.hours += slices * size * inHour;
        restAtTimes[time]! += size * (rate - inCell);
        restAtPlaces[place]!.taps += rate;
        restAtPlaces[place]!.rest += Math.max(0, rate - inCell - inHour);
      }
    sums.taps += slices * taps;
    const atEachTime = restAtTimes.flatMap((rest) => modes.map((mode) => ({ size: 1, rest: rest * mode })));
    sums.time += slices * totalsError(atEachTime, marginScales.time, threshold);
    sums.location += slices * totalsError(restAtPlaces, marginScales.location, threshold);
  }
  const { taps, ...figures } = sums;
  return {
    cells: figures.cells / taps,
    counted: (figures.cells + figures.noise) / taps,
    hours: figures.hours / taps,
    time: figures.time / taps,
    location: figures.location / taps,
  };

  function totalsError(keys: readonly Key[], margin: string | undefined, floor: number | null): number {
    if (margin !== undefined) return fitError(keys, noiseOf(mechanism, margin));
    if (floor !== null) return keys.reduce((sum, { size, rest }) => sum + size * rest, 0);
    // Sums of as many cells as there are on the other side, each with noise.
    const cells = keys.reduce((sum, { size }) => sum + size, 0);
    const others = (allPlaces * times.length) / cells;
    return cells * toNumber(parseRational(scale)) * Math.sqrt((4 * others) / Math.PI);
  }
}

/** `size` totals, each with `rest` taps that no row shows. */
type Key = { size: number; rest: number };

/** The noise of a count as the model takes it: P[X = x], P[X ≥ t], and the x of a share; beyond `reach` there is none. */
type CountNoise = {
  scale: number;
  reach: number;
  chance(x: number): number;
  tail(t: number): number;
  quantile(share: number): number;
};

/** By the number of a certificate, which is a scale b, or σ². */
function noiseOf(mechanism: Certificate['mechanism'], amount: string): CountNoise {
  const { model, scale } = noiseOfCount(mechanism, amount);
  const chance = (x: number): number => noiseProbability(model, scale, x);
  const tail = (t: number): number => noiseTail(model, scale, t);
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return {
        scale,
        reach: 40 * scale,
        chance,
        tail,
        quantile: (share) => -Math.sign(2 * share - 1) * scale * Math.log(1 - Math.abs(2 * share - 1)),
      };
    case 'discrete-gaussian': {
      const reach = Math.ceil(12 * scale) + 1;
      return {
        scale,
        reach,
        chance,
        tail,
        quantile: (share) => smallestBetween(-reach, reach, (x) => tail(x + 1) <= 1 - share),
      };
    }
  }
}

/** Equally likely values of noise by which a mean is taken. */
const QUANTILES = 100;

/**
 * Sum of the expected errors of totals whose rests are fitted by level (C9): of rest r and noise X, max(0, r + X − L)
 * with the L that keeps the sum of all.
 */
function fitError(keys: readonly Key[], { scale, quantile }: CountNoise): number {
  const noise = Array.from({ length: QUANTILES }, (_, place) => quantile((place + 1 / 2) / QUANTILES));
  const sumOf = (value: (rest: number, x: number) => number): number =>
    keys.reduce(
      (sum, { size, rest }) => sum + (size * noise.reduce((all, x) => all + value(rest, x), 0)) / QUANTILES,
      0,
    );
  const total = keys.reduce((sum, { size, rest }) => sum + size * rest, 0);
  let [low, high] = [0, 40 * scale];
  for (let step = 0; step < 30; step++) {
    const level = (low + high) / 2;
    if (sumOf((rest, x) => Math.max(0, rest + x - level)) > total) low = level;
    else high = level;
  }
  return sumOf((rest, x) => Math.abs(Math.max(0, rest + x - low) - rest));
}

/** Rates are rounded to powers of the eighth root of 2. */
const STEPS = 8;

/**
 * For a cell with this number of taps on average: the shares of its taps that the cell shows, and the row of its hour;
 * and the noise in the cell where it is shown, on average.
 */
export function curvesOf({ mechanism, scale, threshold, hours }: Design, { minutes }: CountedGrid): Shown {
  if (threshold === null) return { cell: () => 1, hour: () => 0, noise: () => 0 };
  const noise = noiseOf(mechanism, scale);
  const surely = 2 * threshold + noise.reach;
  const ofSteps = (beyond: number, share: (rate: number) => number) => {
    const ofStep = computeOnce((step: number) => {
      const rate = 2 ** (step / STEPS);
      return rate > surely ? beyond : share(rate);
    });
    return (rate: number): number => ofStep(Math.round(STEPS * Math.log2(Math.max(rate, 2 ** -20))));
  };
  const inHour = (rate: number, floor: number): number =>
    tapsInHour(rate, noise, threshold, floor, 60 / minutes) / (rate * (60 / minutes));
  const above = noiseAbove(noise);
  return {
    cell: ofSteps(1, (rate) => meanOf(rate, (others) => noise.tail(threshold - 1 - others))),
    hour: ofSteps(0, (rate) => (hours ? inHour(rate, hours.floor) : 0)),
    noise: ofSteps(0, (rate) => meanOf(rate, (count) => above(threshold - count))),
  };
}

/** E[X; X ≥ t] of a symmetric X: t·P[X ≥ t] and the tails above t; for t ≤ 0 that of 1 − t, as E[X] = 0. */
function noiseAbove({ reach, tail }: CountNoise): (t: number) => number {
  const tails = [0];
  for (let t = Math.ceil(reach); t > 0; t--) tails.push(tails.at(-1)! + tail(t));
  const from = (t: number): number => tails[tails.length - t] ?? 0;
  return (t) => {
    const least = Math.max(t, 1 - t);
    return least * tail(least) + from(least + 1);
  };
}

/** Chances of 0, 1, 2 … taps where `rate` are expected; what is left out is below 1e-9. */
function poisson(rate: number): number[] {
  const most = Math.ceil(rate + 8 * Math.sqrt(rate) + 12);
  const chances: number[] = [];
  let logarithm = -rate;
  for (let taps = 0; taps <= most; taps++) {
    chances.push(Math.exp(logarithm));
    logarithm += Math.log(rate) - Math.log(taps + 1);
  }
  return chances;
}

/** The mean of a value of Poisson-distributed taps. */
const meanOf = (rate: number, value: (taps: number) => number): number =>
  poisson(rate).reduce((sum, chance, taps) => sum + chance * value(taps), 0);

/** Taps of bins alike that their hour row shows on average: those of cells below the floor, where it reaches its own. */
function tapsInHour(rate: number, noise: CountNoise, floor: number, hourFloor: number, bins: number): number {
  // No bin gives more than floor − 1, so that lower values of the others cannot add up to the floor of the hour.
  const lowest = hourFloor - (bins - 1) * (floor - 1);
  const taps = poisson(rate);
  const lawOf = (weight: (count: number) => number): number[] =>
    Array.from({ length: floor - lowest }, (_, at) =>
      taps.reduce((sum, chance, count) => sum + weight(count) * chance * noise.chance(lowest + at - count), 0),
    );
  const law = lawOf(() => 1);
  // A bin that is shown adds nothing to its hour.
  law[-lowest]! += taps.reduce((sum, chance, count) => sum + chance * noise.tail(floor - count), 0);
  let sums = lawOf((count) => count);
  for (let bin = 1; bin < bins; bin++) sums = convolve(sums, law);
  return bins * sums.reduce((sum, part, at) => (bins * lowest + at >= hourFloor ? sum + part : sum), 0);
}

/** The law of the sum of two independent numbers, by their laws. */
export function convolve(a: readonly number[], b: readonly number[]): number[] {
  const sums = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [x, first] of a.entries()) for (const [y, second] of b.entries()) sums[x + y]! += first * second;
  return sums;
}
