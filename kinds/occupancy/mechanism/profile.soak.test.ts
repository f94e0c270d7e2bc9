import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { isAbove, occupancyDelta } from '../../../test/oracles/occupancy-delta.ts';
import { type Objective, profileValue } from './objective.ts';
import { optimalTable } from './optimal-table.ts';
import { optimalProfile } from './profile.ts';
import { modelOf } from './vehicle-models.fixture.ts';
import { WEIGHT_BITS } from './weights.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

/** Models of up to six categories, as wide as those of buses. */
const anyBus = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 15 }))
  .map(([widths, last]) => {
    const starts = [0];
    for (const width of widths) starts.push(starts.at(-1)! + width);
    return modelOf(starts, starts.at(-1)! + last);
  });
const anyRequest = fc.record({
  epsilon: fc.constantFrom('1/1000', '1/100', '1/20', '1/5', '1/2', '1', '2', '5', '16').map(parseRational),
  delta: fc.constantFrom('0', '1e-12', '1e-9', '1e-7', '1e-5', '1e-3', '1/10', '1/2').map(parseRational),
  group: fc.constantFrom(1, 1, 1, 2, 3),
});

test('300 vehicle models: every profile is private by the definition of δ, and no linear program is better', () => {
  const anyKind = fc.constantFrom<'log-likelihood' | 'probability'>('log-likelihood', 'probability');
  fc.assert(
    fc.property(anyBus, anyRequest, anyKind, (model, { epsilon, delta, group }, kind) => {
      const objective: Objective = { kind };
      const { weights } = optimalProfile(model, { epsilon, delta, group, objective }, solve);
      const worst = occupancyDelta(weights, [epsilon.numerator, epsilon.denominator], group);
      expect(isAbove(worst, [delta.numerator, delta.denominator])).toBe(false);
      const privacy = { epsilon: toNumber(epsilon), delta: toNumber(delta) };
      const of = (table: readonly (readonly number[])[]) => {
        const value = profileValue(model, table);
        return kind === 'probability' ? value.meanTrueProbability : value.meanLogLikelihood;
      };
      const ours = of(weights.map((row) => row.map((weight) => Number(weight) / 2 ** WEIGHT_BITS)));
      // At ε of 1/1000 the room for the solver's errors is the largest: 2,000 of them for each category.
      expect(ours).toBeGreaterThan(of(optimalTable(model, privacy, group, objective, solve)) - 3e-6);
    }),
    { numRuns: 300 },
  );
}, 1_800_000);
