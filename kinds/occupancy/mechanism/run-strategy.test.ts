import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { bestTree, type ChangeSum, noisyCounts, rideChange, treeStrategy } from './run-strategy.ts';

/** Every sum of a full binary tree over this number of leaves, a power of two. */
function fullBinaryTree(leaves: number): ChangeSum[] {
  const sums: ChangeSum[] = [];
  for (let size = 1; size <= leaves; size *= 2)
    for (let from = 0; from < leaves; from += size) sums.push({ from, to: from + size });
  return sums;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The sums themselves, without noise. */
const answers = (sums: readonly ChangeSum[], changes: readonly number[]): number[] =>
  sums.map(({ from, to }) => sumOf(changes.slice(from, to)));

/** Changes of one ride from one departure to another, either of them null when it is not seen. */
const ride = (departures: number, boarding: number | null, alighting: number | null): number[] =>
  Array.from({ length: departures }, (_, at) => Number(at === boarding) - Number(at === alighting));

/** The most that all sums change with one ride, by trying every ride. */
function triedChange(sums: readonly ChangeSum[], departures: number): number {
  const ends = [null, ...Array.from({ length: departures }, (_, at) => at)];
  const rides = ends.flatMap((boarding) =>
    ends
      .filter((alighting) => boarding === null || alighting === null || boarding <= alighting)
      .map((alighting) => ride(departures, boarding, alighting)),
  );
  return Math.max(...rides.map((changes) => sumOf(answers(sums, changes).map(Math.abs))));
}

const anyTree = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 41 }))
  .map(([departures, arity]) => ({ departures, arity, ...treeStrategy(departures, arity) }));

describe('a strategy for a run', () => {
  test('ride-sensitivity: a full binary tree over 32 departures has 10, not 6, and a replaced ride doubles it', () => {
    const strategy = { sums: fullBinaryTree(32) };
    expect(rideChange(strategy, 32)).toBe(10);
  });

  test('ride-sensitivity: is the most that any ride changes, seen to alight or not', () => {
    fc.assert(
      fc.property(anyTree, ({ sums, departures }) => {
        expect(rideChange({ sums }, departures)).toBe(triedChange(sums, departures));
      }),
      { numRuns: 60 },
    );
    expect(rideChange({ sums: [{ from: 0, to: 3 }] }, 3)).toBe(1);
  });

  test('a replaced ride changes no more than twice as much', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 2, max: 8 }), (departures, arity) => {
        const { sums } = treeStrategy(departures, arity);
        const places = Array.from({ length: departures + 1 }, (_, at) => (at === departures ? null : at));
        const rides = places.flatMap((from, at) =>
          places.slice(at + 1).map((to) => answers(sums, ride(departures, from, to))),
        );
        for (const one of rides)
          for (const other of rides)
            expect(sumOf(one.map((answer, sum) => Math.abs(answer - other[sum]!)))).toBeLessThanOrEqual(
              2 * rideChange({ sums }, departures),
            );
      }),
      { numRuns: 15 },
    );
  });

  test('each count is made of disjoint sums of all changes up to it, few of them, and every sum is used', () => {
    fc.assert(
      fc.property(anyTree, ({ sums, prefixes, departures, arity }) => {
        expect(prefixes).toHaveLength(departures);
        for (const [departure, places] of prefixes.entries()) {
          const covered = places.flatMap((place) => {
            const { from, to } = sums[place]!;
            return Array.from({ length: to - from }, (_, at) => from + at);
          });
          expect(covered).toEqual(Array.from({ length: departure + 1 }, (_, at) => at));
          const depth = Math.floor(Math.log(departure + 1.5) / Math.log(arity)) + 1;
          expect(places.length).toBeLessThanOrEqual((arity - 1) * depth);
        }
        expect(new Set(prefixes.flat()).size).toBe(sums.length);
      }),
    );
  });

  test('the best tree has no more variance than any other', () => {
    const { arity, ...best } = bestTree(24);
    const variance = (strategy: typeof best) =>
      rideChange(strategy, 24) ** 2 * sumOf(strategy.prefixes.map(({ length }) => length));
    for (let other = 2; other <= 25; other += 1)
      expect(variance(best)).toBeLessThanOrEqual(variance(treeStrategy(24, other)));
    expect(best).toEqual(treeStrategy(24, arity));
  });
});

describe('noisy counts', () => {
  test('are the running counts and noise, one draw for each sum, kept in all counts that it is part of', () => {
    const changes = [5, 2, -3, 4, 0, -1, 7, -8];
    const strategy = treeStrategy(8, 2);
    let draws = 0;
    const counting = { draw: () => 10 ** draws++, fill: () => undefined };
    const noise = noisyCounts(strategy, changes, counting).map((count, at) => count - sumOf(changes.slice(0, at + 1)));
    expect(draws).toBe(strategy.sums.length);
    expect(noise).toEqual(strategy.prefixes.map((places) => sumOf(places.map((place) => 10 ** place))));
  });

  test('have the variance that the strategy was chosen by', () => {
    const strategy = treeStrategy(6, 7);
    const noise = discreteLaplace(rational(2n), seededSource(5));
    const runs = 20_000;
    const last = Array.from({ length: runs }, () => noisyCounts(strategy, [0, 0, 0, 0, 0, 0], noise).at(-1)!);
    const alpha = Math.exp(-1 / 2);
    const variance = (6 * 2 * alpha) / (1 - alpha) ** 2;
    // The standard error of the variance is below 1 %: five of them.
    expect(sumOf(last.map((count) => count ** 2)) / runs / variance).toBeCloseTo(1, 1);
  });
});
