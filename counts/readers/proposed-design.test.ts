import { expect, test } from 'vitest';
import { holds, measureLike, measureTown, ROUNDING } from '../../test/support/measured-town.ts';
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import type { CountedGrid } from './expected-utility.ts';
import { possibleDesigns, proposeDesign } from './proposed-design.ts';

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '1e-6' } as const;

const gridsOf = (places: number[]): CountedGrid[] =>
  [15, 30, 60].map((minutes) => {
    const times = Array.from({ length: 1440 / minutes }, (_, bin) => bin * minutes);
    return { days: 7, ends: 2, minutes, times, places };
  });

test('the designs of one trip at ε = 8: each has a certificate that holds, of the same ε and unit', () => {
  const designs = possibleDesigns({ ...TRIP, rejects: { bus: 5000 } }, gridsOf([300]));
  expect(designs.map(({ name }) => name).slice(0, 3)).toEqual(['15-cells', '15-both', '15-totals']);
  expect(designs).toHaveLength(9);
  for (const { certificate } of designs) {
    expect(certificate).toMatchObject({
      epsilon: '8',
      unit: 'trip',
      d1: 4,
      deltaUpper: '0',
      split: { checks: '1/10' },
    });
    expect(checkCertificate(certificate)).toEqual([]);
  }
  expect(designs.map(({ certificate }) => certificate.hours?.bins)).toEqual([
    4,
    4,
    4,
    2,
    2,
    2,
    ...Array(3).fill(undefined),
  ]);
});

test('a stability histogram is proposed only where the domain is too large to list', () => {
  // 20,000,000 / (7 · 2 · 96) is 14,880.95 places.
  const mechanisms = (places: number) =>
    possibleDesigns(TRIP, gridsOf([places])).map(({ grid, certificate }) => [grid.minutes, certificate.mechanism]);
  expect(mechanisms(14_880).every(([, mechanism]) => mechanism === 'complete-domain')).toBe(true);
  expect(mechanisms(14_881).filter(([, mechanism]) => mechanism === 'stability-histogram')).toEqual([
    [15, 'stability-histogram'],
  ]);
  expect(mechanisms(100_000).map(([minutes]) => minutes)).toEqual([15, 30, 60]);
});

test('what has no certificate is left out; an ε that is none is an error, and not a list without designs', () => {
  expect(possibleDesigns({ ...TRIP, delta: '0' }, gridsOf([100_000]))).toEqual([]);
  expect(proposeDesign([], null)).toBeNull();
  expect(() => possibleDesigns({ ...TRIP, epsilon: '0' }, gridsOf([300]))).toThrow(
    expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
  );
});

test('more taps are shown in finer bins, and with a smaller share for totals; without a figure bins are of half an hour', () => {
  const designs = possibleDesigns(TRIP, gridsOf([300, 200]));
  const names = [3000, 50_000, 5_000_000].map((tapsPerWeek) => proposeDesign(designs, { tapsPerWeek })!.name);
  expect(names).toEqual(['60-totals', '60-cells', '15-cells']);
  expect(proposeDesign(designs, null)!.name).toBe('30-cells');
});

// Of 60 towns of each of three sizes: towns.soak.test.ts.
test('towns of 100,000 taps a week are as they were said to be', { timeout: 300_000 }, () => {
  const towns = [201, 202].map((town) => measureTown(town, 100_000));
  for (const figure of ['cells', 'hours', 'time', 'location'] as const)
    expect(towns.filter((town) => holds(town, figure)).length).toBeGreaterThanOrEqual(1);
  for (const town of towns) expect(town.worth).toBeGreaterThan(town.bestWorth - 0.2);
});

// Of 20 towns of each of three sizes, with the figures of docs/utility.md: towns.soak.test.ts.
test('with a publication of one week of 100,000 taps what the next shows is within 5 points', () => {
  for (const town of [301, 302]) expect(measureLike(town, 100_000).beyond).toBeLessThanOrEqual(ROUNDING);
});
