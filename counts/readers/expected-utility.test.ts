import { expect, test } from 'vitest';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { certify } from '../certificate/certify.ts';
import { type CountedGrid, earlierVolume, expectedUtility, modelUtility, shownBy } from './expected-utility.ts';

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
const FLOORS = certify({
  ...{ ...TRIP, mechanism: 'complete-domain', delta: '0', floor: 7, hours: { floor: 10, bins: 4 } },
  split: { cells: '31/5', time: '7/10', location: '11/10' },
});
const HISTOGRAM = certify({ ...TRIP, mechanism: 'stability-histogram', delta: '1e-6', split: { cells: '8' } });
const WHOLE = certify({ ...TRIP, mechanism: 'complete-domain', delta: '0', split: {} });

const GRID: CountedGrid = {
  ...{ days: 7, ends: 2, minutes: 15 },
  times: Array.from({ length: 96 }, (_, bin) => 15 * bin),
  places: [400, 100],
};

/** Draws of taps and noise in the bins of an hour that are alike: what cells and hour row show, as shares of the taps. */
function drawnHour(rate: number, floor: number, hourFloor: number, b: number, runs: number) {
  const source = seededSource(7);
  const uniform = (): number => (source.uint32() + 0.5) / 2 ** 32;
  const geometric = (): number => Math.floor(-Math.log(uniform()) * b);
  const poisson = (): number => {
    let taps = 0;
    for (let product = uniform(); product > Math.exp(-rate); product *= uniform()) taps++;
    return taps;
  };
  const sums = { taps: 0, cells: 0, hours: 0 };
  for (let run = 0; run < runs; run++) {
    const bins = [0, 0, 0, 0].map(() => {
      const taps = poisson();
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
  const shown = shownBy(FLOORS, GRID);
  const drawn = drawnHour(rate, 7, 10, 20 / 31, 40_000);
  expect(shown.cell(rate)).toBeCloseTo(drawn.cell, 1.7);
  expect(shown.hour(rate)).toBeCloseTo(drawn.hour, 1.7);
});

test('without a floor all is shown, and totals have the noise of their cells; a histogram without margins has no rests', () => {
  const volume = { tapsPerWeek: 100_000 };
  const whole = modelUtility(WHOLE, GRID, volume, shownBy(WHOLE, GRID));
  expect(whole).toMatchObject({ cells: expect.closeTo(1, 9), hours: 0 });
  // 96 times and 500 places: of a time the noise of 500 cells of scale 1/2, each of variance 2·b².
  const variance = [...Array(200).keys()].reduce(
    (sum, x) => sum + 2 * x * x * noiseProbability('discrete-laplace', 0.5, x),
    0,
  );
  const mean = Math.sqrt((2 * variance * 500) / Math.PI);
  expect((whole.time * 100_000) / (7 * 2 * 96 * 2)).toBeGreaterThan(0.8 * mean);
  const histogram = modelUtility(HISTOGRAM, GRID, volume, shownBy(HISTOGRAM, GRID));
  expect(histogram.time).toBeCloseTo(1 - histogram.cells, 9);
  expect(histogram.location).toBeCloseTo(1 - histogram.cells, 9);
});

test('margins of many taps have the mean error of their noise, and of hardly any at most about twice their taps', () => {
  const many = modelUtility(FLOORS, GRID, { tapsPerWeek: 100_000_000 }, shownBy(FLOORS, GRID));
  const keys = 7 * 2 * 96 * 2;
  expect(many.time).toBeCloseTo((keys * (1 / Math.sinh(7 / 40))) / 1e8, 5);
  const few = modelUtility(FLOORS, GRID, { tapsPerWeek: 100 }, shownBy(FLOORS, GRID));
  for (const error of [few.time, few.location]) expect(error).toBeLessThanOrEqual(2.01);
});

test('@contract C17 an interval knows the grid and one figure; more taps show more, and an earlier release narrows it', () => {
  const [few, many] = [5000, 500_000].map((tapsPerWeek) => expectedUtility(FLOORS, GRID, { tapsPerWeek }));
  expect(many!.cells.low).toBeGreaterThan(few!.cells.high);
  const like = expectedUtility(FLOORS, GRID, { tapsPerWeek: 500_000, spread: 1 });
  expect(like.cells.high - like.cells.low).toBeCloseTo(0.1, 9);
  expect(like.cells.low).toBeGreaterThan(many!.cells.low);
});

test('the spread of an earlier release is the one that shows as much, and one without cells says nothing of it', () => {
  const shown = shownBy(FLOORS, GRID);
  for (const spread of [0.4, 1, 1.7]) {
    const { cells } = modelUtility(FLOORS, GRID, { tapsPerWeek: 300_000, spread }, shown);
    expect(earlierVolume(FLOORS, GRID, 300_000, cells).spread).toBeCloseTo(spread, 2);
  }
  expect(earlierVolume(FLOORS, GRID, 300_000, 0.001)).toEqual({ tapsPerWeek: 300_000 });
});
