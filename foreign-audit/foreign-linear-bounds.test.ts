import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../core/linear-program/solver.ts';
import { cellBounds, systemOf } from '../counts/audit/checks/linear-bounds.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { loadSolver } from '../services/linear-solver.ts';
import { CONFIDENCE } from './foreign-differences.ts';
import { checkForeignLinearBounds, gridOf } from './foreign-linear-bounds.ts';
import { withNoise } from './foreign-noise.ts';
import { foreignSubject } from './foreign-subject.ts';
import {
  type Declaration,
  type ForeignRow,
  type ForeignTable,
  NOTHING_DECLARED,
  type TableKind,
} from './foreign-table.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

const SAID: Declaration = { ...NOTHING_DECLARED, model: 'discrete-laplace', scale: 1, threshold: 18, delta: 1e-6 };

type Count = [time: string, location: string, count: number];

const table = (kind: TableKind, counts: readonly Count[], declared = SAID): ForeignTable => ({
  name: kind,
  kind,
  declared,
  source: null,
  strays: [],
  lines: counts.length,
  columns: ['count'],
  rows: counts.map(
    ([time, location, count]): ForeignRow => ({ mode: 'ferry', day: '2016-08-12', tap: 'off', time, location, count }),
  ),
});

/** Manly at 08:15 is suppressed: 40 of 50 show in its line of time, and 66 of 70 in its line of place. */
const CELLS: Count[] = [
  ['08:00', 'Manly', 66],
  ['08:00', 'Mosman', 30],
  ['08:15', 'Mosman', 40],
];
const TIMES: Count[] = [
  ['08:00', ALL, 98],
  ['08:15', ALL, 50],
];
const PLACES: Count[] = [
  [ALL, 'Manly', 70],
  [ALL, 'Mosman', 72],
];

const tablesOf = (times: Count[], places: Count[], declared = SAID): ForeignTable[] => [
  table('time-location', CELLS, declared),
  table('time', times, declared),
  table('location', places, declared),
];
const check = (tables: ForeignTable[], solver: LinearProgramSolver | null = solve) =>
  checkForeignLinearBounds(
    foreignSubject({ name: 'test', tables, leftOut: [], services: [], timetable: [], solve: solver }),
  );

describe('bounds from all totals of a slice', () => {
  test('are those of the worked example', () => {
    const found = check(tablesOf(TIMES, PLACES));
    expect(found).toMatchObject({ verdict: 'pass', statistic: 14, interval: [0, 14] });
    expect(found!.sentence).toContain('ferry 2016-08-12 off together leave between 0 and 14 taps');
    expect(found!.sentence).toContain('08:15 Manly');
  });

  test('that leave one or two counts for a cell fail where a threshold is declared, and only there', () => {
    // 57 + 5 − (66 − 5) = 1
    const places: Count[] = [[ALL, 'Manly', 57], PLACES[1]!];
    expect(check(tablesOf(TIMES, places))).toMatchObject({ verdict: 'fail', statistic: 1, interval: [0, 1] });
    expect(check(tablesOf(TIMES, [[ALL, 'Manly', 58], PLACES[1]!]))!.verdict).toBe('pass');
    const unsaid = { ...SAID, threshold: null };
    // The smallest count of all is the threshold that shows; nothing was promised.
    expect(check(tablesOf(TIMES, places, unsaid))!.verdict).toBe('pass');
  });

  test('that do not exist are a point for attention: a total is too small for its cells', () => {
    // 55 + 5 < 66 − 5
    const found = check(tablesOf(TIMES, [[ALL, 'Manly', 55], PLACES[1]!]));
    expect(found).toMatchObject({ verdict: 'attention', statistic: null, interval: null });
    expect(found!.sentence).toContain('contradict each other');
  });

  test('broken twin: totals that are sums of their cells say nothing', () => {
    const times: Count[] = [
      ['08:00', ALL, 96],
      ['08:15', ALL, 40],
    ];
    const places: Count[] = [
      [ALL, 'Manly', 66],
      [ALL, 'Mosman', 70],
    ];
    expect(check(tablesOf(times, places))).toMatchObject({ verdict: 'not-tried', statistic: null });
    expect(check(tablesOf(times, places))!.sentence).toContain('nothing to solve');
  });

  test('need both kinds of totals and a solver', () => {
    expect(check(tablesOf(TIMES, PLACES).slice(0, 2))!.sentence).toContain('nothing to solve');
    expect(check(tablesOf(TIMES, PLACES), null)).toBeNull();
  });

  test('are not sought in a slice that is too large, and that is said', () => {
    const wide = Array.from({ length: 1000 }, (_, index): Count => [ALL, `stop ${index}`, 40]);
    expect(check(tablesOf(TIMES, [...PLACES, ...wide]))!.sentence).toContain('it has 2004 cells, and more than 2000');
  });
});

/** A grid of true counts with rests; every published count is off by what `noise` says, at most h. */
const GRID = { times: ['08:00', '08:15', '08:30'], places: ['Manly', 'Mosman', 'Neutral Bay'] };
function publish(truths: readonly number[], rests: readonly number[], noise: readonly number[]) {
  const { times, places } = GRID;
  const truth = (time: number, place: number): number => truths[3 * time + place]!;
  const sum = (parts: number[]): number => parts.reduce((all, one) => all + one, 0);
  const cells = times.flatMap((time, i) =>
    places.map((place, j): Count => [time, place, truth(i, j) + noise[3 * i + j]!]),
  );
  const byTime = times.map(
    (time, i): Count => [time, ALL, sum(places.map((_, j) => truth(i, j))) + rests[i]! + noise[9 + i]!],
  );
  const byPlace = places.map(
    (place, j): Count => [ALL, place, sum(times.map((_, i) => truth(i, j))) + rests[3 + j]! + noise[12 + j]!],
  );
  const tables = [
    table(
      'time-location',
      cells.filter(([, , count]) => count >= 18),
    ),
    table('time', byTime),
    table('location', byPlace),
  ];
  return gridOf(withNoise(tables, null).flatMap((one) => one.rows.map((row) => ({ row, table: one }))));
}

const counts = fc.array(fc.nat(60), { minLength: 9, maxLength: 9 });
const rests = fc.array(fc.nat(40), { minLength: 6, maxLength: 6 });
/** Half-widths are 5 or more in a grid of this size. */
const noises = (most: number) => fc.array(fc.integer({ min: -most, max: most }), { minLength: 15, maxLength: 15 });

const holdTruth = (truths: readonly number[], rest: readonly number[], noise: readonly number[]): boolean => {
  const grid = publish(truths, rest, noise);
  // A slice without a published cell says nothing of the threshold, and is not solved.
  fc.pre(grid.cellNoises.length > 0);
  const bounds = cellBounds(systemOf(grid, CONFIDENCE), grid.suppressed, solve);
  if (bounds === null) return false;
  return [...bounds].every(([cell, [lower, upper]]) => {
    const place = GRID.times.flatMap((time) => GRID.places.map((location) => `${time} ${location}`)).indexOf(cell);
    return lower <= truths[place]! && truths[place]! <= upper;
  });
};

describe('the true counts', () => {
  test('lie within the bounds whenever the noise lies within its half-widths', () => {
    fc.assert(
      fc.property(counts, rests, noises(4), (truths, rest, noise) => holdTruth(truths, rest, noise)),
      { numRuns: 60 },
    );
  });

  test('broken twin: with noise beyond them, some do not', () => {
    const found = fc.check(
      fc.property(counts, rests, noises(40), (truths, rest, noise) => holdTruth(truths, rest, noise)),
      { numRuns: 60, seed: 1 },
    );
    expect(found.failed).toBe(true);
  });
});
