import { beforeAll, describe, expect, test } from 'vitest';
import { loadSolver } from '../../activities/public/linear-solver.ts';
import type { LinearProgramSolver } from '../../core/audit/attacks/linear-bounds.ts';
import { alarmsAt, honestAlarms, matrixRow } from './matrix.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';

let solver: LinearProgramSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

/** Seeds of the normal run; the soak takes 1,000. */
const RUNS = 20;

// A check whose decision is turned round would fail here.
test(`${RUNS} honest releases of ${RUNS} pass`, () => {
  expect(honestAlarms(RUNS)).toBe(0);
});

test('an honest release passes when its linear programs are solved too', () => {
  expect(alarmsAt(1, solver)).toEqual([]);
});

describe('the check that is there for it', () => {
  test.each(MUTANTS)('$check catches $name, with every seed', (mutant) => {
    expect(matrixRow(mutant, RUNS, solver).caught.get(mutant.check)).toBe(RUNS);
  });
});
