import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { treeStatusesByDigits } from '../../../test/oracles/tree-statuses.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import type { RunMechanism } from './ride-mechanism.ts';
import { type RunCounts, runSampler, treeStatuses } from './run-statuses.ts';
import { treeStrategy } from './run-strategy.ts';
import { modelOf, VDL } from './vehicle-models.fixture.ts';

const MODEL = modelOf([0, 2, 5], 7);
/** A profile whose statuses are the counts themselves: each count has a category, drawn surely. */
const TRANSPARENT = modelOf([0, 1, 2, 3, 4, 5, 6, 7], 7);
const SURELY: RunMechanism = {
  kind: 'each-stop',
  vehicle: 'v',
  departures: 4,
  epsilon: '1',
  delta: '0',
  weights: Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, column) => (row === column ? '1' : '0')),
  ),
};
const TREE: RunMechanism = { kind: 'tree', vehicle: 'v', departures: 4, arity: 2, scale: '1/1000' };

const countsShown = (counts: RunCounts): number[] => runSampler(SURELY, seededSource(1))(TRANSPARENT, counts);

describe('passengers that a profile is asked about', () => {
  test('are clamped, and from the doors a running sum', () => {
    expect(countsShown({ passengers: [-3, 4, 99, 7] })).toEqual([0, 4, 7, 7]);
    expect(countsShown({ boardings: [3, 99, 0, 0], alightings: [0, 0, 9, 2] })).toEqual([3, 7, 3, 1]);
  });

  test('change by at most one at each departure with a ride more, whatever is clamped', () => {
    const doors = fc.array(fc.integer({ min: -2, max: 12 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(doors, doors, fc.nat(3), fc.nat(4), (boardings, alightings, first, second) => {
        const [on, off] = [Math.min(first, second), Math.max(first, second)];
        const more = {
          boardings: boardings.map((count, at) => count + Number(at === on)),
          alightings: alightings.map((count, at) => count + Number(at === off)),
        };
        const [without, within] = [countsShown({ boardings, alightings }), countsShown(more)];
        for (const [at, count] of without.entries()) expect(Math.abs(within[at]! - count)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('statuses of a tree', () => {
  test('without noise are the categories of the passengers aboard', () => {
    const doors = { boardings: [3, 3, 0, 9], alightings: [0, 1, 5, 0] };
    expect(runSampler(TREE, seededSource(1))(MODEL, doors)).toEqual([1, 2, 0, 2]);
  });

  test('are a function of the noisy sums: a ride more with noise that makes up for it gives the same', () => {
    const strategy = treeStrategy(6, 2);
    const noises = fc.array(fc.integer({ min: -9, max: 9 }), {
      minLength: strategy.sums.length,
      maxLength: strategy.sums.length,
    });
    const doors = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 6, maxLength: 6 });
    const told = (values: readonly number[]) => {
      let next = 0;
      return { draw: () => values[next++]! };
    };
    fc.assert(
      fc.property(doors, doors, noises, fc.nat(5), fc.nat(6), (boardings, alightings, noise, first, second) => {
        const [on, off] = [Math.min(first, second), Math.max(first, second)];
        const more = {
          boardings: boardings.map((count, at) => count + Number(at === on)),
          alightings: alightings.map((count, at) => count + Number(at === off)),
        };
        const shifted = strategy.sums.map(
          ({ from, to }, place) => noise[place]! - Number(from <= on && on < to) + Number(from <= off && off < to),
        );
        expect(treeStatuses(strategy, MODEL, more, told(shifted))).toEqual(
          treeStatuses(strategy, MODEL, { boardings, alightings }, told(noise)),
        );
      }),
    );
  });

  test('C18: of the same noisy sums are the same, in runs of any length, with and without passengers', () => {
    const departures = fc.integer({ min: 1, max: 60 });
    const run = departures.chain((length) => {
      const door = fc.oneof(
        fc.constant(Array.from({ length }, () => 0)),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: length, maxLength: length }),
      );
      return fc.record({ boardings: door, alightings: door });
    });
    const draws = fc.record({ arity: fc.integer({ min: 2, max: 8 }), scale: fc.nat(9), seed: fc.nat(1000) });
    fc.assert(
      fc.property(run, draws, ({ boardings, alightings }, { arity, scale, seed }) => {
        const tree: RunMechanism = {
          kind: 'tree',
          vehicle: 'v',
          departures: boardings.length,
          arity,
          scale: String(1 + scale),
        };
        const drawn = runSampler(tree, seededSource(seed))(VDL, { boardings, alightings });
        const noise = discreteLaplace(rational(BigInt(1 + scale)), seededSource(seed));
        const changes = boardings.map((count, at) => count - alightings[at]!);
        expect(drawn).toEqual(treeStatusesByDigits(changes, arity, VDL.minimumCounts, () => noise.draw()));
      }),
      { numRuns: 200 },
    );
  });

  test('are not drawn from passengers aboard', () => {
    expect(() => runSampler(TREE, seededSource(1))(MODEL, { passengers: [1, 2, 3, 4] })).toThrow(RangeError);
  });
});
