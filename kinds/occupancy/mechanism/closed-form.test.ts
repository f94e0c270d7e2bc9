import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { rational, toNumber } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { closedForm, isClosedFormOptimal } from './closed-form.ts';
import { deltaBounds, largestDelta } from './exact-delta.ts';
import { type Objective, type ProbabilityTable, profileValue } from './objective.ts';
import { optimalTable } from './optimal-table.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { anyModel, casesOf, modelOf, VDL } from './vehicle-models.fixture.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

const number = (text: string): number =>
  text
    .split('/')
    .map(Number)
    .reduce((a, b) => a / b);
const LOGARITHM: Objective = { kind: 'log-likelihood' };
const PROBABILITY: Objective = { kind: 'probability' };
const distance = (model: VehicleModel): Objective => ({
  kind: 'distance',
  costs: model.categories.map((_, off) => off),
});

/** What an objective is worth, the more the better. */
function worth(model: VehicleModel, table: ProbabilityTable, { kind }: Objective): number {
  const value = profileValue(model, table);
  if (kind === 'distance') return -value.meanDistance;
  return kind === 'probability' ? value.meanTrueProbability : value.meanLogLikelihood;
}

describe('the closed form', () => {
  test.each(casesOf('profile'))('%s: rows, means, and when it is best', (_, one) => {
    const { in: given, out } = one;
    const model = modelOf(given.minimum_counts, given.maximum_count);
    const privacy = { epsilon: number(given.eps), delta: number(given.delta) };
    const table = closedForm(model, privacy);
    for (const [passengers, row] of Object.entries(out.closed_form_rows))
      row.forEach((text, category) => {
        expect(table[Number(passengers)]![category]).toBeCloseTo(Number(text), 14);
      });
    const value = profileValue(model, table);
    expect(value.meanTrueProbability).toBeCloseTo(Number(out.closed_form.mean_true), 13);
    expect(value.meanLogLikelihood).toBeCloseTo(Number(out.closed_form.mean_loglik), 13);
    expect(value.worstTrueProbability).toBeCloseTo(Number(out.closed_form.worst_true), 13);
    expect(isClosedFormOptimal(model, table, privacy, PROBABILITY)).toBe(out.closed_form_is_optimal_for_sum);
    expect(isClosedFormOptimal(model, table, privacy, LOGARITHM)).toBe(out.closed_form_is_optimal_for_log);
  });

  test('is private for every vehicle model, ε and δ', () => {
    const anyPrivacy = fc.record({
      epsilon: fc.double({ min: 0.05, max: 4, noNaN: true }),
      delta: fc.constantFrom(0, 1e-3, 0.03, 0.4),
    });
    fc.assert(
      fc.property(anyModel, anyPrivacy, (model, privacy) => {
        const table = closedForm(model, privacy).map((row) =>
          row.map((share) => rational(BigInt(Math.round(share * 2 ** 52)), 1n << 52n)),
        );
        const epsilon = rational(BigInt(Math.round(privacy.epsilon * 2 ** 40)), 1n << 40n);
        const { upper } = deltaBounds(largestDelta(table, epsilon), epsilon, 128);
        expect(toNumber(upper)).toBeLessThan(privacy.delta + 1e-9);
      }),
    );
  });

  test('no table of the linear program is better where it is said to be the best, for each objective', () => {
    let best = 0;
    const anyPrivacy = fc.record({
      epsilon: fc.constantFrom(0.3, 0.7, 1, 1.5),
      delta: fc.constantFrom(0, 1e-3, 0.05, 0.3),
    });
    const anyObjective = fc.constantFrom(
      (): Objective => LOGARITHM,
      (): Objective => PROBABILITY,
      distance,
    );
    fc.assert(
      fc.property(anyModel, anyPrivacy, anyObjective, (model, privacy, objectiveOf) => {
        const table = closedForm(model, privacy);
        const objective = objectiveOf(model);
        const optimum = worth(model, optimalTable(model, privacy, 1, objective, solve), objective);
        expect(optimum).toBeGreaterThan(worth(model, table, objective) - 1e-6);
        if (!isClosedFormOptimal(model, table, privacy, objective)) return;
        best += 1;
        expect(optimum).toBeLessThan(worth(model, table, objective) + 1e-6);
      }),
      { numRuns: 60 },
    );
    expect(best).toBeGreaterThan(15);
  });

  test('broken twin: where the conditions do not hold a better table is there, and other costs prove nothing', () => {
    const [model, privacy] = [modelOf([0, 1, 2, 3], 5), { epsilon: 0.5, delta: 0 }];
    const table = closedForm(model, privacy);
    expect(isClosedFormOptimal(model, table, privacy, PROBABILITY)).toBe(false);
    const better = optimalTable(model, privacy, 1, PROBABILITY, solve);
    expect(worth(model, better, PROBABILITY)).toBeGreaterThan(worth(model, table, PROBABILITY) + 0.005);
    const square: Objective = { kind: 'distance', costs: VDL.categories.map((_, off) => off ** 2) };
    expect(isClosedFormOptimal(VDL, closedForm(VDL, privacy), privacy, square)).toBe(false);
    expect(isClosedFormOptimal(VDL, closedForm(VDL, privacy), privacy, distance(VDL))).toBe(true);
  });
});
