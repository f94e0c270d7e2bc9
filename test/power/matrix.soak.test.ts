import { beforeAll, expect, test } from 'vitest';
import { loadSolver } from '../../activities/public/linear-solver.ts';
import type { LinearProgramSolver } from '../../core/audit/attacks/linear-bounds.ts';
import { matrixRow } from './matrix.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';

let solver: LinearProgramSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

const RUNS = 1000;

test.each(MUTANTS)(`$check catches $name in at least 999 of ${RUNS} runs`, (mutant) => {
  expect(matrixRow(mutant, RUNS, solver).caught.get(mutant.check)).toBeGreaterThanOrEqual(999);
});
