import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { compareMechanisms } from './comparison.ts';
import { clampChanges, simulateRun } from './simulated-run.ts';
import { VDL } from './vehicle-models.fixture.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

/** Kept, because composing the stops takes most of a second. */
const known = new Map<string, ReturnType<typeof compareMechanisms>>();
function outcomes(epsilon: string, neighbours: 'add-remove' | 'replace-one' = 'add-remove', seed = 3) {
  const name = `${epsilon} ${neighbours} ${seed}`;
  const result = known.get(name) ?? compared(epsilon, neighbours, seed);
  known.set(name, result);
  return result;
}

const compared = (epsilon: string, neighbours: 'add-remove' | 'replace-one', seed: number) => {
  const privacy = { epsilon: parseRational(epsilon), delta: parseRational('1e-5') };
  return compareMechanisms(
    { model: VDL, departures: 16, ...privacy, neighbours, runs: 100 },
    seededSource(seed),
    solve,
  );
};

describe('the comparison of mechanisms', () => {
  test('the running count has more right statuses than each stop by itself, and the best tree more than the binary one', () => {
    const [stops, binary, best] = outcomes('4');
    expect(stops).toMatchObject({ mechanism: 'each stop by itself', noise: 'a profile of ε 1/4 for each stop' });
    expect(binary!.rightShare).toBeGreaterThan(stops!.rightShare + 0.02);
    expect(best!.rightShare).toBeGreaterThan(binary!.rightShare + 0.02);
    expect(best!.meanDistance).toBeLessThan(binary!.meanDistance);
  });

  test('with little privacy all are nearly right, and a wrong one is at a distance', () => {
    for (const { rightShare, meanDistance } of outcomes('32')) {
      expect(rightShare).toBeGreaterThan(0.95);
      expect(meanDistance).toBeGreaterThanOrEqual(1 - rightShare - 1e-12);
    }
  });

  test('a replaced ride may leave one run for another: twice the noise of a tree, about half the ε of a stop', () => {
    const [once, twice] = [outcomes('4'), outcomes('4', 'replace-one')];
    expect(twice[0]!.noise).toBe('a profile of ε 65/512 for each stop');
    expect([once[2]!.noise, twice[2]!.noise].map((text) => /scale (\S+)/.exec(text)![1])).toEqual(['1/2', '1']);
    expect(twice[2]!.rightShare).toBeLessThan(once[2]!.rightShare);
  });

  test('is the same for the same seed', () => {
    expect(compared('4', 'add-remove', 3)).toEqual(outcomes('4'));
    expect(compared('4', 'add-remove', 4)).not.toEqual(outcomes('4'));
  });
});

describe('a simulated run', () => {
  test('nobody alights before boarding, and everybody boards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(), (departures, seed) => {
        const { boardings, alightings } = simulateRun(VDL, departures, seededSource(seed));
        expect([boardings.length, alightings.length]).toEqual([departures, departures]);
        let aboard = 0;
        for (const [departure, boarding] of boardings.entries()) {
          expect(aboard).toBeGreaterThanOrEqual(alightings[departure]!);
          aboard += boarding - alightings[departure]!;
        }
      }),
      { numRuns: 30 },
    );
  });

  test('changes are clamped, boardings and alightings each by itself', () => {
    const changes = clampChanges(VDL, { boardings: [100, 3, 0], alightings: [0, 90, -4] });
    expect(changes).toEqual([77, -74, 0]);
  });
});
