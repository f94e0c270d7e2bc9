import { expect, test } from 'vitest';
import { certify } from '../../../counts/certificate/certify.ts';
import { hourRowInterval } from '../../../counts/readers/hour-row-interval.ts';
import { readingGuide } from './reading-guide.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
const SPLIT = { cells: '31/5', time: '7/10', location: '11/10' };
const FLOORS = certify({
  ...TRIP,
  mechanism: 'complete-domain',
  delta: '0',
  split: SPLIT,
  floor: 7,
  hours: { floor: 9, bins: 4 },
});
const CELLS = certify({ ...TRIP, mechanism: 'stability-histogram', delta: '1e-6', split: { cells: '8' } });

test('@contract C19 under a floor: an interval of an hour row, and the size of what fitted rows can be wrong by', () => {
  const { floor, fitted } = readingGuide(FLOORS);
  const { lowest, highest } = hourRowInterval(109, 0.95, laplace(20 / 31), 4);
  expect(floor.join(' ')).toContain(
    `Of an hour row of 109 the cells that it covers hold between ${lowest} and ${highest}`,
  );
  expect(fitted).toHaveLength(2);
  // 95 % of the noise of a time margin, of scale 40/7, is within 17.
  expect(fitted[0]).toMatch(
    /^A remainder row of one time has no interval\. One below 17 can be noise alone; from 170 on/,
  );
});

test('what a release does not have is not spoken of', () => {
  const { floor, fitted } = readingGuide(CELLS);
  expect([floor, fitted]).toEqual([[], []]);
});
