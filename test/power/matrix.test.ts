import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { loadSolver } from '../../services/linear-solver.ts';
import { alarmsAt, honestAlarms, matrixRow } from './matrix.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';

let solver: LinearProgramSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

/**
 * Seeds of the normal run: they show that each check does what it is there for. How often it does (999 of 1,000) is the
 * claim of the soak, which writes docs/power.md.
 */
const RUNS = 5;

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
