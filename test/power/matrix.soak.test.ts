import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { toNumber } from '../../core/rational/rational.ts';
import { FAMILYWISE_LEVEL } from '../../core/statistics/holm.ts';
import { loadSolver } from '../../services/linear-solver.ts';
import { hasChanged, headCommit, readEvidence, writeEvidence } from '../support/evidence.ts';
import { honestAlarms, type MatrixRow, matrixRow } from './matrix.fixture.ts';
import { FAINT_MUTANTS } from './mutants/selection.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';
import { MEASURED, type PowerRows, page, powerRow, withMeasured } from './page.ts';

/** The claim of docs/power.md rests on this run alone: the short form (matrix.test.ts) takes five seeds a mutant. */
const WHOLE = 1000;
/** Runs of each mutant. Fewer are a quick look: a run that is not whole asserts as much, and leaves the page alone. */
const RUNS = Number(process.env.OPALINE_POWER_RUNS ?? WHOLE);
const ENOUGH = Math.round(0.999 * RUNS);

/** Measures mutants with this text in their names alone; their rows take the place of earlier ones. */
const WORD = process.env.OPALINE_POWER_MUTANTS ?? '';
const isChosen = ({ name }: { name: string }): boolean => name.toLowerCase().includes(WORD.toLowerCase());

const rows: MatrixRow[] = [];
const faint: MatrixRow[] = [];
let alarms: number | undefined;

let solver: LinearProgramSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

// The page says what was seen, even if it is less than there has to be. A run that was cut off says nothing.
afterAll(async () => {
  const isWhole =
    rows.length === MUTANTS.filter(isChosen).length && faint.length === FAINT_MUTANTS.filter(isChosen).length;
  if (RUNS !== WHOLE || !isWhole || (WORD === '' && alarms === undefined)) return;
  const commit = headCommit();
  const before = readEvidence('power');
  const known = before?.rows as PowerRows | undefined;
  if (WORD !== '' && (!before || !known)) throw new Error('there is no whole run that these rows could stand beside');
  const measured: PowerRows = {
    rows: withMeasured(
      known?.rows ?? [],
      rows.map((row) => powerRow(row, commit)),
      MUTANTS,
    ),
    faint: withMeasured(
      known?.faint ?? [],
      faint.map((row) => powerRow(row, commit)),
      FAINT_MUTANTS,
    ),
    honest: alarms === undefined ? known!.honest : { runs: RUNS, alarms, level: toNumber(FAMILYWISE_LEVEL) },
  };
  const evidence = writeEvidence('power', {
    command: 'npm run power',
    ...(WORD === '' ? {} : { commit: before!.commit, code: before!.code }),
    measures: MEASURED,
    rows: measured,
  });
  await writeFile(new URL('../../docs/power.md', import.meta.url), page(evidence, hasChanged(evidence)));
});

test.each(MUTANTS.filter(isChosen))(`$check catches $name in at least ${ENOUGH} of ${RUNS} runs`, (mutant) => {
  const row = matrixRow(mutant, RUNS, solver);
  rows.push(row);
  expect(row.caught.get(mutant.check)).toBeGreaterThanOrEqual(ENOUGH);
});

// Measured, and nothing is asked of it: one that is always found belongs among the others.
test.each(FAINT_MUTANTS.filter(isChosen))('$check: how often it finds $name', (mutant) => {
  const row = matrixRow(mutant, RUNS, solver);
  faint.push(row);
  expect(row.runs).toBe(RUNS);
});

test.runIf(WORD === '')(`${RUNS} honest releases of ${RUNS} pass`, () => {
  alarms = honestAlarms(RUNS);
  expect(alarms).toBe(0);
});
