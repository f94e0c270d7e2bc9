import { expect, test } from 'vitest';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import { deriveRows, drawTable } from '../../test/support/draw-rows.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { certify } from '../certificate/certify.ts';
import type { CountRow } from '../derive/count-row.ts';
import { tableOf } from '../derive/count-table.ts';
import type { CellCount } from '../mechanisms/cell-counts.ts';
import * as utility from './expected-utility.ts';

type EarlierRelease = utility.EarlierRelease;
const { expectedUtility } = utility;
const earlierRelease = (
  { cells, hours, remainder }: Record<'cells' | 'hours' | 'remainder', CountRow[]>,
  certificate: Parameters<typeof utility.earlierRelease>[1],
): EarlierRelease | null =>
  utility.earlierRelease({ cells: tableOf(cells), hours: tableOf(hours), remainder: tableOf(remainder) }, certificate);

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
const FLOORS = certify({
  ...{ ...TRIP, mechanism: 'complete-domain', delta: '0', floor: 7 },
  split: { cells: '31/5', time: '7/10', location: '11/10' },
});
const HISTOGRAM = certify({ ...TRIP, mechanism: 'stability-histogram', delta: '1e-6', split: { cells: '8' } });

/** 100 cells of 6 taps and 10 of 40: 1,000 taps, of 20 times and 5 locations. */
const earlier: EarlierRelease = {
  counts: new Map([
    [6, 100],
    [40, 10],
  ]),
  ...{ threshold: null, total: 1000, keys: { time: 20, location: 5 } },
};

/** P[X ≥ t], added up term by term. */
const tail = (scale: number, t: number): number =>
  Array.from({ length: 400 }, (_, x) => noiseProbability('discrete-laplace', scale, t + x)).reduce((a, b) => a + b, 0);

test('the expected share is that of the law, and the twin with a floor one off has another', () => {
  const shareAt = (floor: number) => (600 * tail(20 / 31, floor - 6) + 400 * tail(20 / 31, floor - 40)) / 1000;
  const { inCells, isAtLeast } = expectedUtility(earlier, FLOORS);
  expect(inCells).toBeCloseTo(shareAt(7), 9);
  expect(isAtLeast).toBe(false);
  for (const floor of [6, 8]) expect(Math.abs(inCells - shareAt(floor))).toBeGreaterThan(0.05);
});

test('a mean error is the mean size of the noise over the mean total of a key', () => {
  const mean = (scale: number): number =>
    Array.from({ length: 2000 }, (_, x) => 2 * x * noiseProbability('discrete-laplace', scale, x)).reduce(
      (a, b) => a + b,
      0,
    );
  const { errors } = expectedUtility(earlier, FLOORS);
  expect(errors.time).toBeCloseTo(mean(40 / 7) / 50, 9);
  expect(errors.location).toBeCloseTo(mean(40 / 11) / 200, 9);
  expect(expectedUtility(earlier, HISTOGRAM).errors).toEqual({});
});

test('a margin is warned of exactly where its noise reaches further than the mean total of a key', () => {
  expect(expectedUtility(earlier, FLOORS).tooNoisy).toEqual([]);
  expect(expectedUtility({ ...earlier, keys: { time: 100, location: 5 } }, FLOORS).tooNoisy).toEqual(['time']);
  expect(expectedUtility({ ...earlier, keys: { time: 100, location: 200 } }, FLOORS).tooNoisy).toEqual([
    'time',
    'location',
  ]);
  expect(expectedUtility({ ...earlier, keys: { time: 100, location: 200 } }, HISTOGRAM).tooNoisy).toEqual([]);
});

test('cells that the earlier release could not show make the share a lower bound', () => {
  expect(expectedUtility({ ...earlier, threshold: 9 }, FLOORS).isAtLeast).toBe(true);
  expect(expectedUtility({ ...earlier, threshold: 7 }, FLOORS).isAtLeast).toBe(false);
});

test('@contract C17 an earlier release is read from published rows, and one without a total is none', () => {
  const counts = ['07:00', '07:15'].flatMap((time): CellCount[] => [
    ['on', time, 'a', 30],
    ['on', time, 'b', 12],
  ]);
  const domain = { taps: ['on'], times: ['07:00', '07:15'], locations: ['a', 'b', 'UNKNOWN'] } as const;
  const draw = (certificate: typeof FLOORS) =>
    deriveRows([drawTable({ part: 'bus', day: '2026-03-02' }, counts, domain, certificate, seededSource(4))]);
  const { cells, remainder, time } = draw(FLOORS);
  const read = earlierRelease({ cells, hours: [], remainder: remainder! }, FLOORS)!;
  expect(read).toMatchObject({ threshold: 7, keys: { time: 2, location: 3 } });
  expect(read.total).toBe(time.reduce((sum, { count }) => sum + count, 0));
  expect([...read.counts.values()].reduce((sum, times) => sum + times, 0)).toBe(cells.length);
  expect(earlierRelease({ cells: draw(HISTOGRAM).cells, hours: [], remainder: [] }, HISTOGRAM)).toBeNull();
  expect(earlierRelease({ cells: [], hours: [], remainder: [] }, { threshold: null })).toBeNull();
});
