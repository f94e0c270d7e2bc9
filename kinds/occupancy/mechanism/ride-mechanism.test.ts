import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { NEIGHBOURS, type Neighbours } from '../../../contracts/certificate.ts';
import type { Amount } from '../../../core/accounting/basic-composition.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import {
  compare,
  divide,
  formatRational,
  multiply,
  parseRational,
  rational,
  toNumber,
  ZERO,
} from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import {
  RIDE_COUNTS,
  type RideCounts,
  type RidePrivacy,
  type RunMechanism,
  rideCost,
  runGuarantee,
  runMechanisms,
} from './ride-mechanism.ts';
import { treeStrategy } from './run-strategy.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { modelOf } from './vehicle-models.fixture.ts';

const MODELS = new Map<string, VehicleModel>([['small', modelOf([0, 1, 3], 4)]]);
const ride = (
  mechanism: RidePrivacy['mechanism'],
  neighbours: RidePrivacy['neighbours'],
  delta: string,
): RidePrivacy => ({
  mechanism,
  neighbours,
  counts: 'doors',
  epsilon: parseRational('1'),
  delta: parseRational(delta),
});

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

const mechanismsFor = (privacy: RidePrivacy, ...lengths: number[]): RunMechanism[] =>
  runMechanisms(
    privacy,
    lengths.map((departures) => ({ vehicle: 'small', departures })),
    MODELS,
    solve,
  );

describe('what one run may lose', () => {
  const privacy = { epsilon: parseRational('3'), delta: parseRational('1/100') };
  const texts = ({ epsilon, delta }: Amount): string[] => [formatRational(epsilon), formatRational(delta)];

  test('ride-guarantee: all of it with a ride more or less, half of it when a ride is replaced', () => {
    for (const counts of RIDE_COUNTS)
      expect(runGuarantee({ ...privacy, neighbours: 'add-remove', counts })).toEqual(privacy);
    const half = runGuarantee({ ...privacy, neighbours: 'replace-one', counts: 'passengers' });
    expect(texts(half)).toEqual(['3/2', '1/200']);
  });

  test('ride-guarantee: of door counts δ/(1 + e^(ε/2)), rounded down, as one count may change by two', () => {
    // 1 + e^(3/2) = 5.48168…
    const half = runGuarantee({ ...privacy, neighbours: 'replace-one', counts: 'doors' });
    expect(texts(half)).toEqual(['3/2', '5/2741']);
    expect(texts(runGuarantee({ ...privacy, delta: ZERO, neighbours: 'replace-one', counts: 'doors' }))[1]).toBe('0');
  });

  test('C12: is charged to a population that replaces rides by the same rule, rounded up', () => {
    const cost = (neighbours: Neighbours, counts: RideCounts, relation: Neighbours) =>
      Object.values(rideCost({ ...privacy, neighbours, counts }, relation));
    for (const counts of RIDE_COUNTS)
      for (const neighbours of NEIGHBOURS) expect(cost(neighbours, counts, neighbours)).toEqual(['3', '1/100']);
    // 1 + e^3 = 21.08553…
    expect(cost('add-remove', 'doors', 'replace-one')).toEqual(['6', '10543/50000']);
    expect(cost('add-remove', 'passengers', 'replace-one')).toEqual(['6', '1/50']);
    expect(cost('replace-one', 'doors', 'add-remove')).toEqual(['3/2', '5/2741']);
    expect(cost('replace-one', 'passengers', 'add-remove')).toEqual(['3/2', '1/200']);
  });
});

/** Laws of the statuses of one run: products of the rows of its profile. */
function lawOf(mechanism: RunMechanism, counts: readonly number[]): number[] {
  if (mechanism.kind !== 'each-stop') throw new Error('a tree has no profile');
  return counts.reduce<number[]>(
    (law, count) =>
      law.flatMap((chance) => mechanism.weights[count]!.map((weight) => (chance * Number(weight)) / 2 ** 40)),
    [1],
  );
}

const joint = (laws: readonly number[][]): number[] =>
  laws.reduce((all, law) => all.flatMap((chance) => law.map((other) => chance * other)), [1]);

/** Σ max(0, P − e^ε·Q) of two laws. */
const hockeyStick = (p: readonly number[], q: readonly number[], epsilon: number): number =>
  p.reduce((sum, chance, place) => sum + Math.max(0, chance - Math.exp(epsilon) * q[place]!), 0);

describe('a profile for each stop, by enumeration of all statuses', () => {
  // The ride that goes is on the first run, the one that comes on the second.
  const [leaves, comes] = [
    [
      [1, 1],
      [0, 0],
    ],
    [
      [2, 3],
      [3, 4],
    ],
  ] as const;
  const largest = (privacy: RidePrivacy, epsilon: number): number => {
    const [mechanism] = mechanismsFor(privacy, 2);
    const both = (a: readonly number[], b: readonly number[]) => joint([lawOf(mechanism!, a), lawOf(mechanism!, b)]);
    const [one, other] = [both(leaves[0], comes[0]), both(leaves[1], comes[1])];
    return Math.max(hockeyStick(one, other, epsilon), hockeyStick(other, one, epsilon));
  };

  test.each(['0', '1e-3'])('a ride that leaves one run for another loses at most (1, %s)', (delta) => {
    expect(largest(ride('each-stop', 'replace-one', delta), 1)).toBeLessThanOrEqual(Number(delta) + 1e-12);
  });

  test('broken twin: neighbours forgotten, a run that may lose all of it loses more than is promised', () => {
    expect(largest(ride('each-stop', 'add-remove', '1e-3'), 1)).toBeGreaterThan(0.05);
  });
});

describe('a tree', () => {
  /** Loss of rides that come and go: the change of all sums, over the scale. */
  const lossOf = (mechanism: RunMechanism, on: number, off: number): number => {
    if (mechanism.kind !== 'tree') throw new Error('a profile has no noise');
    const changes = Array.from({ length: mechanism.departures }, (_, at) => Number(at === on) - Number(at === off));
    const sums = treeStrategy(mechanism.departures, mechanism.arity).sums;
    const moved = sums.map(({ from, to }) =>
      Math.abs(changes.slice(from, to).reduce((sum, change) => sum + change, 0)),
    );
    return toNumber(divide(rational(BigInt(moved.reduce((sum, one) => sum + one, 0))), parseRational(mechanism.scale)));
  };

  test('any two rides on any two runs lose at most ε together, and some lose ε', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }), (first, second) => {
        const [a, b] = mechanismsFor(ride('tree', 'replace-one', '0'), first, second);
        const worst = (mechanism: RunMechanism): number => {
          let most = 0;
          for (let on = 0; on < mechanism.departures; on += 1)
            for (let off = on + 1; off <= mechanism.departures; off += 1)
              most = Math.max(most, lossOf(mechanism, on, off));
          return most;
        };
        expect(worst(a!) + worst(b!)).toBeCloseTo(1, 12);
      }),
      { numRuns: 20 },
    );
  });

  test('runs of one length have one scale, in proportion to 1/ε', () => {
    const [one, other] = mechanismsFor(ride('tree', 'add-remove', '0'), 12, 12);
    expect(one).toEqual(other);
    const [half] = mechanismsFor({ ...ride('tree', 'add-remove', '0'), epsilon: parseRational('1/2') }, 12);
    if (one?.kind !== 'tree' || half?.kind !== 'tree') throw new Error('not trees');
    expect(compare(parseRational(half.scale), multiply(rational(2n), parseRational(one.scale)))).toBe(0);
  });
});
