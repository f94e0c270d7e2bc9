import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { divide, ONE, parseRational, type Rational, rational } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { hockeyStick, noisyCount } from '../../../test/oracles/hockey-stick.ts';
import { isAbove, jointDelta, type RowPair } from '../../../test/oracles/occupancy-delta.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { type RidePrivacy, type RunMechanism, runMechanisms } from './ride-mechanism.ts';
import { type RunCounts, runSampler } from './run-statuses.ts';
import { treeStrategy } from './run-strategy.ts';
import { clampChanges, type DoorCounts } from './simulated-run.ts';
import { modelOf } from './vehicle-models.fixture.ts';

/**
 * Every ride that is replaced by another of its run, in short runs of a small vehicle, and the exact δ of what is drawn:
 * counts go through the code that clamps them, weights are those that are drawn from.
 */
const MOST = 4;
const MODEL = modelOf([0, 2], MOST);
const LENGTHS = [1, 2, 3, 4, 5];
const EPSILONS = ['1', '2', '4', '8'];
const DELTA: [bigint, bigint] = [1n, 1_000_000n];

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

/** A ride from one departure to another; null where it is not seen to board or to alight. */
type Ride = { on: number | null; off: number | null };

const departuresOf = (length: number): number[] => Array.from({ length }, (_, at) => at);

function ridesOf(length: number): Ride[] {
  const ends = [null, ...departuresOf(length)];
  return ends.flatMap((on) =>
    ends.filter((off) => on === null || off === null || on <= off).map((off) => ({ on, off })),
  );
}

const withRide = ({ boardings, alightings }: DoorCounts, { on, off }: Ride): DoorCounts => ({
  boardings: boardings.map((count, at) => count + Number(at === on)),
  alightings: alightings.map((count, at) => count + Number(at === off)),
});

/** Runs that begin with any load, as many boardings as are counted among them, and go on with or without a few more. */
const basesOf = (length: number): DoorCounts[] =>
  departuresOf(length).reduce<DoorCounts[]>(
    (runs, departure) =>
      runs.flatMap(({ boardings, alightings }) => {
        const events = departure === 0 ? departuresOf(MOST + 1).map((on) => [on, 0]) : LATER_EVENTS;
        return events.map(([on, off]) => ({ boardings: [...boardings, on!], alightings: [...alightings, off!] }));
      }),
    [{ boardings: [], alightings: [] }],
  );
const LATER_EVENTS = [
  [0, 0],
  [MOST, 0],
  [0, 2],
];

/** The passengers that the sampler asks its profile about: a category for each count, drawn surely. */
const SURELY = modelOf(departuresOf(MOST + 1), MOST);
function passengersOf(counts: RunCounts, departures: number): number[] {
  const weights = departuresOf(MOST + 1).map((row) => departuresOf(MOST + 1).map((at) => (at === row ? '1' : '0')));
  const sure: RunMechanism = { kind: 'each-stop', vehicle: 'v', departures, epsilon: '1', delta: '0', weights };
  return runSampler(sure, seededSource(1))(SURELY, counts);
}

type Neighbours = [RunCounts, RunCounts];

/** One more ride, and one ride instead of another: as door counts, and as passengers. */
const moreOf = (length: number): Neighbours[] =>
  basesOf(length).flatMap((base) => ridesOf(length).map((ride): Neighbours => [base, withRide(base, ride)]));
const replacedOf = (length: number): Neighbours[] =>
  basesOf(length).flatMap((base) => {
    const runs = ridesOf(length).map((ride) => withRide(base, ride));
    return runs.flatMap((one) => runs.map((other): Neighbours => [one, other]));
  });
function aboardOf(length: number): Neighbours[] {
  const bases = [0, 1, 2, MOST].map((count) => departuresOf(length).map(() => count));
  const seen = ridesOf(length).filter(({ on }) => on !== null);
  return bases.flatMap((base) => {
    const runs = seen.map(({ on, off }) => ({
      passengers: base.map((count, at) => count + Number(at >= on! && at < (off ?? length))),
    }));
    return runs.flatMap((one) => runs.map((other): Neighbours => [one, other]));
  });
}

/** Pairs of passenger counts at all departures, each set of pairs once: δ does not depend on their order. */
function pairsOf(all: readonly Neighbours[], length: number): [number, number][][] {
  const counted = new Map<RunCounts, number[]>();
  const of = (counts: RunCounts): number[] => {
    const passengers = counted.get(counts) ?? passengersOf(counts, length);
    counted.set(counts, passengers);
    return passengers;
  };
  const different = new Map<string, [number, number][]>();
  for (const [one, other] of all) {
    const after = of(other);
    const pairs = of(one)
      .map((count, at): [number, number] => [count, after[at]!])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    different.set(pairs.join(' '), pairs);
  }
  return [...different.values()];
}

/** The largest exact δ, in the units of the oracle, of all these neighbours at the ε of a ride. */
function worstDelta(privacy: RidePrivacy, epsilon: string, all: readonly Neighbours[], departures: number): bigint {
  const [mechanism] = runMechanisms(privacy, [{ vehicle: 'v', departures }], new Map([['v', MODEL]]), solve);
  if (mechanism?.kind !== 'each-stop') throw new Error('no profile');
  const rows = mechanism.weights.map((row) => row.map(BigInt));
  return pairsOf(all, departures)
    .map((pairs) => pairs.filter(([one, other]) => one !== other).map(([a, b]): RowPair => [rows[a]!, rows[b]!]))
    .map((pairs) => jointDelta(pairs, [BigInt(epsilon), 1n]))
    .reduce((most, delta) => (delta > most ? delta : most), 0n);
}

const privacyOf = (epsilon: string, delta: string, change: Partial<RidePrivacy>): RidePrivacy => ({
  mechanism: 'each-stop',
  neighbours: 'replace-one',
  counts: 'doors',
  epsilon: parseRational(epsilon),
  delta: parseRational(delta),
  ...change,
});

const cases = LENGTHS.flatMap((length) => EPSILONS.map((epsilon) => [length, epsilon] as const));

describe('C1: a ride that is replaced by another of its run, by enumeration of all statuses', () => {
  test.each(cases)('%i departures, ε = %s: door counts keep δ', (length, epsilon) => {
    const worst = worstDelta(privacyOf(epsilon, '1e-6', {}), epsilon, replacedOf(length), length);
    expect(isAbove(worst, DELTA)).toBe(false);
  });

  test('door counts may change by two by clamping alone: one boards among too many, and another stays aboard', () => {
    const base: DoorCounts = { boardings: [MOST, 0], alightings: [0, 2] };
    expect(passengersOf(withRide(base, { on: 0, off: 1 }), 2)).toEqual([MOST, 1]);
    expect(passengersOf(withRide(base, { on: 1, off: null }), 2)).toEqual([MOST, 3]);
  });

  test('broken twin: half of δ for each of two runs is too much where a count changes by two', () => {
    const above = cases.filter(([length, epsilon]) => {
      const privacy = privacyOf(epsilon, '1e-6', { counts: 'passengers' });
      return length < 4 && isAbove(worstDelta(privacy, epsilon, replacedOf(length), length), DELTA);
    });
    expect(above.map((one) => one.join(' '))).toEqual(['1 1', '1 2', '1 4', '1 8', '2 4', '2 8', '3 8']);
  });

  test.each(LENGTHS)('%i departures: passengers aboard, a ride more, and δ = 0 are as they were', (length) => {
    const aboard = privacyOf('8', '1e-6', { counts: 'passengers' });
    expect(isAbove(worstDelta(aboard, '8', aboardOf(length), length), DELTA)).toBe(false);
    const more = privacyOf('8', '1e-6', { neighbours: 'add-remove' });
    expect(isAbove(worstDelta(more, '8', moreOf(length), length), DELTA)).toBe(false);
    expect(worstDelta(privacyOf('8', '0', {}), '8', replacedOf(length), length)).toBe(0n);
  });

  test.each([1, 2, 3])('%i departures: a tree loses ε and no δ', (departures) => {
    const privacy = privacyOf('2', '0', { mechanism: 'tree' });
    const [tree] = runMechanisms(privacy, [{ vehicle: 'v', departures }], new Map(), solve);
    if (tree?.kind !== 'tree') throw new Error('no tree');
    const { sums } = treeStrategy(departures, tree.arity);
    const answers = (counts: RunCounts): number[] =>
      sums.map(({ from, to }) =>
        clampChanges(MODEL, counts as DoorCounts)
          .slice(from, to)
          .reduce((sum, change) => sum + change, 0),
      );
    const different = new Set(
      replacedOf(departures).map(([one, other]) => {
        const after = answers(other);
        return answers(one)
          .map((answer, at) => after[at]! - answer)
          .join(' ');
      }),
    );
    const rate = divide(ONE, parseRational(tree.scale));
    const least = (change: string, epsilon: Rational): Rational =>
      hockeyStick(
        change.split(' ').map((by) => noisyCount(0, Number(by), rate, 128)),
        epsilon,
        128,
      ).lower;
    for (const change of different) expect(least(change, parseRational('2')).numerator).toBe(0n);
    expect([...different].some((change) => least(change, rational(19n, 10n)).numerator > 0n)).toBe(true);
  });
});
