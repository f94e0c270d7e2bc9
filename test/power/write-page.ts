import { writeFile } from 'node:fs/promises';
import { loadSolver } from '../../activities/public/linear-solver.ts';
import { FAMILYWISE_LEVEL } from '../../core/audit/statistics/holm.ts';
import { toNumber } from '../../core/rational/rational.ts';
import { honestAlarms, matrixRow } from './matrix.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';
import { page } from './page.ts';

/** Runs the matrix and writes docs/power.md: `node test/power/write-page.ts [RUNS]`. */
const runs = Number(process.argv[2] ?? 1000);
if (!Number.isSafeInteger(runs) || runs < 1) throw new TypeError('the number of runs is a positive integer');

const solver = await loadSolver();
const rows = MUTANTS.map((mutant) => {
  const row = matrixRow(mutant, runs, solver);
  process.stderr.write(`${row.caught.get(mutant.check) ?? 0} of ${runs}: ${mutant.check}, ${mutant.name}\n`);
  return row;
});
const written = page(rows, { runs, alarms: honestAlarms(runs) }, toNumber(FAMILYWISE_LEVEL));
await writeFile(new URL('../../docs/power.md', import.meta.url), written);
