import { expect, test } from 'vitest';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { certify } from '../certificate/certify.ts';
import { type CountedGrid, curvesOf, earlierVolume, modelUtility, predictUtility } from './expected-utility.ts';

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
const FLOORS = certify({
  ...TRIP,
  mechanism: 'complete-domain',
  delta: '0',
  floor: 7,
  hours: { floor: 10, bins: 4 },
  split: { cells: '31/5', time: '7/10', location: '11/10' },
});
const HISTOGRAM = certify({ ...TRIP, mechanism: 'stability-histogram', delta: '1e-6', split: { cells: '8' } });
const WHOLE = certify({ ...TRIP, mechanism: 'complete-domain', delta: '0', split: {} });

const GRID: CountedGrid = {
  days: 7,
  ends: 2,
  minutes: 15,
  times: Array.from({ length: 96 }, (_, bin) => 15 * bin),
  places: [400, 100],
};

function draws(seed: number, b: number) {
  const source = seededSource(seed);
  const uniform = (): number => (source.uint32() + 0.5) / 2 ** 32;
  const geometric = (): number => Math.floor(-Math.log(uniform()) * b);
  const poisson = (rate: number): number => {
    let taps = 0;
    for (let product = uniform(); product > Math.exp(-rate); product *= uniform()) taps++;
    return taps;
  };
  return { geometric, poisson };
}

/** Draws of taps and noise in the bins of an hour that are alike: what cells and hour row show, as shares of the taps. */
function drawnHour(rate: number, floor: number, hourFloor: number, b: number, runs: number) {
  const { geometric, poisson } = draws(7, b);
  const sums = { taps: 0, cells: 0, hours: 0 };
  for (let run = 0; run < runs; run++) {
    const bins = [0, 0, 0, 0].map(() => {
      const taps = poisson(rate);
      return { taps, noisy: taps + geometric() - geometric() };
    });
    const hidden = bins.filter(({ noisy }) => noisy < floor);
    const isShown = hidden.reduce((sum, { noisy }) => sum + noisy, 0) >= hourFloor;
    const tapsOf = (some: typeof bins): number => some.reduce((sum, { taps }) => sum + taps, 0);
    sums.taps += tapsOf(bins);
    sums.cells += tapsOf(bins) - tapsOf(hidden);
    sums.hours += isShown ? tapsOf(hidden) : 0;
  }
  return { cell: sums.cells / sums.taps, hour: sums.hours / sums.taps };
}

test.each([0.5, 2, 4, 8])('of cells with %f taps on average cells and hour rows show what draws do', (rate) => {
  const shown = curvesOf(FLOORS, GRID);
  const drawn = drawnHour(rate, 7, 10, 20 / 31, 40_000);
  expect(shown.cell(rate)).toBeCloseTo(drawn.cell, 1.7);
  expect(shown.hour(rate)).toBeCloseTo(drawn.hour, 1.7);
});

test('without a floor all is shown, and totals have the noise of their cells; a histogram without margins has no rests', () => {
  const volume = { tapsPerWeek: 100_000 };
  const whole = modelUtility(WHOLE, GRID, volume, curvesOf(WHOLE, GRID));
  expect(whole).toMatchObject({ cells: expect.closeTo(1, 9), hours: 0 });
  // 96 times and 500 places: of a time the noise of 500 cells of scale 1/2, each of variance 2·b².
  const variance = [...Array(200).keys()].reduce(
    (sum, x) => sum + 2 * x * x * noiseProbability('discrete-laplace', 0.5, x),
    0,
  );
  const mean = Math.sqrt((2 * variance * 500) / Math.PI);
  expect((whole.time * 100_000) / (7 * 2 * 96 * 2)).toBeGreaterThan(0.8 * mean);
  const histogram = modelUtility(HISTOGRAM, GRID, volume, curvesOf(HISTOGRAM, GRID));
  expect(histogram.time).toBeCloseTo(1 - histogram.cells, 9);
  expect(histogram.location).toBeCloseTo(1 - histogram.cells, 9);
});

test('margins of many taps have the mean error of their noise, and of hardly any at most about twice their taps', () => {
  const many = modelUtility(FLOORS, GRID, { tapsPerWeek: 100_000_000 }, curvesOf(FLOORS, GRID));
  const keys = 7 * 2 * 96 * 2;
  expect(many.time).toBeCloseTo((keys * (1 / Math.sinh(7 / 40))) / 1e8, 5);
  const few = modelUtility(FLOORS, GRID, { tapsPerWeek: 100 }, curvesOf(FLOORS, GRID));
  for (const error of [few.time, few.location]) expect(error).toBeLessThanOrEqual(2.01);
});

test('@contract C17 an interval knows the grid and one figure; more taps show more, and an earlier release narrows it', () => {
  const [few, many] = [5000, 500_000].map((tapsPerWeek) => predictUtility(FLOORS, GRID, { tapsPerWeek }));
  expect(many!.cells.low).toBeGreaterThan(few!.cells.low);
  expect(many!.cells.high).toBeGreaterThan(few!.cells.high);
  const like = predictUtility(FLOORS, GRID, { tapsPerWeek: 500_000, spread: 1 });
  expect(like.cells.high - like.cells.low).toBeCloseTo(0.1, 9);
  expect(like.cells.low).toBeGreaterThan(many!.cells.low);
});

test('what cells add up to has the noise in them, of cells that hold nothing too', () => {
  const { tail } = { tail: (t: number) => Math.exp(-t / (20 / 31)) / (1 + Math.exp(-1 / (20 / 31))) };
  const above = (t: number): number => {
    let sum = 0;
    for (let x = t; x < 200; x++) sum += x * (tail(x) - tail(x + 1));
    return sum;
  };
  const { noise } = curvesOf(FLOORS, GRID);
  expect(noise(2 ** -20)).toBeCloseTo(above(7), 9);
  // One tap on average: 0, 1, 2 … taps, and from eight on the noise that is cut off below.
  let [expected, chance] = [0, Math.exp(-1)];
  for (let taps = 0; taps < 30; taps++) {
    expected += chance * (taps < 7 ? above(7 - taps) : above(taps - 6));
    chance /= taps + 1;
  }
  expect(noise(1)).toBeCloseTo(expected, 9);
  expect(noise(1e9)).toBe(0);
});

test('the spread of an earlier release is the one that shows as much, and one without cells says nothing of it where that is usual', () => {
  const shown = curvesOf(FLOORS, GRID);
  for (const spread of [-0.2, 0.4, 1, 1.7]) {
    const { counted } = modelUtility(FLOORS, GRID, { tapsPerWeek: 300_000, spread }, shown);
    expect(earlierVolume(FLOORS, GRID, 300_000, counted).spread).toBeCloseTo(spread, 2);
  }
  expect(earlierVolume({ ...FLOORS, threshold: 12 }, GRID, 3000, 0.001)).toEqual({ tapsPerWeek: 3000 });
  expect(earlierVolume(FLOORS, GRID, 300_000, 0.001).spread).toBeLessThan(0);
});

/** Taps of each hour of a day without strong peaks, from midnight. */
const MILD_HOURS = [1.2, 0.6, 0, 0, 0, 1, 4, 10, 9, 5, 4, 4, 5, 5, 5, 6, 8, 10, 8, 5, 3, 3, 2, 2];

/** Share of the taps of a drawn week in cells, where the place of rank k has a weight of (k + 2)^−exponent. */
function drawnFlatTown(
  exponent: number,
  tapsPerWeek: number,
  grid: CountedGrid,
  floor: number,
  b: number,
  seed: number,
) {
  const { geometric, poisson } = draws(seed, b);
  const share = (weights: readonly number[]): number[] => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
  const atPlaces = share(Array.from({ length: grid.places[0]! }, (_, rank) => (rank + 3) ** -exponent));
  const atTimes = share(grid.times.map((minute) => MILD_HOURS[Math.floor(minute / 60)]!));
  const sums = { taps: 0, cells: 0, counted: 0 };
  for (const day of share([1.1, 1.1, 1.1, 1.1, 1.15, 0.75, 0.6]))
    for (let end = 0; end < grid.ends; end++)
      for (const place of atPlaces)
        for (const time of atTimes) {
          const taps = poisson((tapsPerWeek * day * place * time) / grid.ends);
          sums.taps += taps;
          const noisy = taps + geometric() - geometric();
          if (noisy < floor) continue;
          sums.cells += taps;
          sums.counted += noisy;
        }
  return { taps: sums.taps, cells: sums.cells / sums.taps, counted: sums.counted / sums.taps };
}

test.each([
  { exponent: 0.6, tapsPerWeek: 12_000, places: 60, minutes: 60 },
  { exponent: 0.6, tapsPerWeek: 8000, places: 60, minutes: 60 },
  { exponent: 0.6, tapsPerWeek: 40_000, places: 45, minutes: 15 },
  { exponent: 0.6, tapsPerWeek: 40_000, places: 45, minutes: 60 },
  { exponent: 0.8, tapsPerWeek: 12_000, places: 60, minutes: 60 },
  { exponent: 0.8, tapsPerWeek: 40_000, places: 45, minutes: 15 },
  { exponent: 0.8, tapsPerWeek: 400_000, places: 45, minutes: 15 },
])(
  'a flat town is forecast by its figure, and narrowly by its own release: exponent $exponent, $tapsPerWeek taps, $places places, $minutes minutes',
  ({ exponent, tapsPerWeek, places, minutes }) => {
    const times = Array.from({ length: 1440 / minutes }, (_, bin) => bin * minutes);
    const grid: CountedGrid = { days: 7, ends: 2, minutes, times, places: [places] };
    const drawn = (seed: number) => drawnFlatTown(exponent, tapsPerWeek, grid, 7, 20 / 31, seed);
    const release = drawn(1);
    const byFigure = predictUtility(FLOORS, grid, { tapsPerWeek }).cells;
    expect(release.cells).toBeGreaterThanOrEqual(byFigure.low);
    expect(release.cells).toBeLessThanOrEqual(byFigure.high);
    const volume = earlierVolume(FLOORS, grid, release.taps, release.counted);
    const { cells } = predictUtility(FLOORS, grid, volume);
    expect(cells.high - cells.low).toBeLessThanOrEqual(0.1 + 1e-9);
    for (const share of [release.cells, drawn(2).cells]) {
      expect(share).toBeGreaterThanOrEqual(cells.low);
      expect(share).toBeLessThanOrEqual(cells.high);
    }
  },
);
