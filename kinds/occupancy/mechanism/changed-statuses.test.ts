import { expect, test } from 'vitest';
import { rational } from '../../../core/rational/rational.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { gapLimits, statusGap } from './changed-statuses.ts';
import { optimalProfile } from './profile.ts';
import type { RunMechanism } from './ride-mechanism.ts';
import { runSampler } from './run-statuses.ts';
import { VDL } from './vehicle-models.fixture.ts';

const DEPARTURES = 6;
const tree: RunMechanism = { kind: 'tree', vehicle: 'vdl', departures: DEPARTURES, arity: 2, scale: '3/2' };

/** A profile of ε = 1; its closed form needs no solver. */
const { weights } = optimalProfile(
  VDL,
  { epsilon: rational(1n), delta: rational(1n, 100_000n), group: 1, objective: { kind: 'log-likelihood' } },
  () => {
    throw new Error('no solver is needed');
  },
);
const stops: RunMechanism = {
  kind: 'each-stop',
  vehicle: 'vdl',
  departures: DEPARTURES,
  epsilon: '1',
  delta: '1/100000',
  weights: weights.map((row) => row.map(String)),
};

test('the gap of two statuses is the least difference of numbers that have them, by trying all', () => {
  const categoryOf = (count: number) => VDL.minimumCounts.findLastIndex((minimum) => minimum <= count);
  const counts = Array.from({ length: VDL.maximumCount + 1 }, (_, count) => count);
  for (const [one] of VDL.categories.entries())
    for (const [other] of VDL.categories.entries()) {
      const differences = counts.flatMap((a) =>
        counts.flatMap((b) => (categoryOf(a) === one && categoryOf(b) === other ? [Math.abs(a - b)] : [])),
      );
      expect([one, other, statusGap(VDL, one, other)]).toEqual([one, other, Math.min(...differences)]);
    }
});

test('the limit of a profile is the smallest gap that keeps the chance, by adding up its weights', () => {
  const passed = (limit: number): number =>
    Math.max(
      ...weights.map((row) => {
        let sum = 0n;
        for (const [a, one] of row.entries())
          for (const [b, other] of row.entries()) if (statusGap(VDL, a, b) > limit) sum += one * other;
        return Number(sum) / 2 ** 80;
      }),
    );
  const gaps = new Set(VDL.categories.flatMap((_, a) => VDL.categories.map((_, b) => statusGap(VDL, a, b))));
  const limits = [0.5, 0.05, 1e-3, 1e-6, 1e-9].map((chance) => {
    const [limit, ...others] = new Set(gapLimits(stops, VDL, chance));
    expect(others).toEqual([]);
    expect(passed(limit!)).toBeLessThanOrEqual(chance);
    for (const smaller of gaps) if (smaller < limit!) expect(passed(smaller)).toBeGreaterThan(chance);
    return limit!;
  });
  expect(new Set(limits).size).toBeGreaterThan(2);
});

/** How often a run that has not changed has a departure that is named, in 3,000 pairs of draws. */
function wronglyNamed(mechanism: RunMechanism, chance: number, widen: number): number {
  const sample = runSampler(mechanism, seededSource(11));
  // Around the boundaries of categories, where a status flips most easily.
  const doors = { boardings: [5, 23, 8, 19, 14, 0], alightings: [0, 0, 0, 0, 0, 14] };
  const limits = gapLimits(mechanism, VDL, chance);
  let named = 0;
  for (let pair = 0; pair < 3000; pair += 1) {
    const [a, b] = [sample(VDL, doors), sample(VDL, doors)];
    if (a.some((status, place) => statusGap(VDL, status, b[place]!) > limits[place]! - widen)) named += 1;
  }
  return named / 3000;
}

test.each([tree, stops])('C19: of unchanged passengers a run is named as rarely as promised: $kind', (mechanism) => {
  const rate = 0.2;
  expect(wronglyNamed(mechanism, rate / DEPARTURES, 0)).toBeLessThan(rate);
});

test.each([tree, stops])('broken twin: limits that are too narrow name unchanged runs: $kind', (mechanism) => {
  expect(wronglyNamed(mechanism, 0.2 / DEPARTURES, 30)).toBeGreaterThan(0.2);
});

test('a departure deep in a tree has a wider limit than one of a single sum', () => {
  const limits = gapLimits(tree, VDL, 1e-4);
  expect(limits[0]).toBe(limits[1]); // one sum each
  expect(limits[2]).toBeGreaterThan(limits[1]!); // two sums
  expect(limits[3]).toBe(limits[0]);
});
