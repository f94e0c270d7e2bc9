import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSolver } from '../../activities/linear-solver.ts';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { toNumber } from '../../core/rational/rational.ts';
import { FAMILYWISE_LEVEL } from '../../core/statistics/holm.ts';
import { honestAlarms, type MatrixRow, matrixRow } from './matrix.fixture.ts';
import { FAINT_MUTANTS } from './mutants/selection.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';
import { page } from './page.ts';

/** The claim of docs/power.md rests on this run alone: the short form (matrix.test.ts) takes five seeds a mutant. */
const WHOLE = 1000;
/** Runs of each mutant. Fewer are a quick look: a run that is not whole asserts as much, and leaves the page alone. */
const RUNS = Number(process.env.OPALINE_POWER_RUNS ?? WHOLE);
const ENOUGH = Math.round(0.999 * RUNS);

const rows: MatrixRow[] = [];
const faint: MatrixRow[] = [];
let alarms: number | undefined;

let solver: LinearProgramSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

// The page says what was seen, even if it is less than there has to be.
afterAll(async () => {
  if (RUNS !== WHOLE || rows.length !== MUTANTS.length || faint.length !== FAINT_MUTANTS.length) return;
  if (alarms === undefined) return;
  const written = page({ rows, faint }, { runs: RUNS, alarms }, toNumber(FAMILYWISE_LEVEL));
  await writeFile(new URL('../../docs/power.md', import.meta.url), written);
});

test.each(MUTANTS)(`$check catches $name in at least ${ENOUGH} of ${RUNS} runs`, (mutant) => {
  const row = matrixRow(mutant, RUNS, solver);
  rows.push(row);
  expect(row.caught.get(mutant.check)).toBeGreaterThanOrEqual(ENOUGH);
});

// Measured, and nothing is asked of it: one that is always found belongs among the others.
test.each(FAINT_MUTANTS)('$check: how often it finds $name', (mutant) => {
  const row = matrixRow(mutant, RUNS, solver);
  faint.push(row);
  expect(row.runs).toBe(RUNS);
});

test(`${RUNS} honest releases of ${RUNS} pass`, () => {
  alarms = honestAlarms(RUNS);
  expect(alarms).toBe(0);
});
