import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headCommit, readEvidence, writeEvidence } from '../support/evidence.ts';
import { readTree } from './anchor.ts';
import { MUTANTS } from './mutants.ts';
import { brokenKillers, copyOfTree, nameOf, plantAll, ROOT } from './planting.ts';
import { hasRow, type MutantRow, mutantRow, mutantTable, withRow } from './table.ts';

/**
 * `node test/mutants/run.ts [word…]`: plants all bugs, or those whose id holds one of the words; `new` for a word: those
 * without a row of them as they are. Each outcome is written when it is there, so that a run may be broken off.
 */
const words = process.argv.slice(2);
const commit = headCommit();
const before = readEvidence('mutants');
let rows = (before?.rows ?? []) as MutantRow[];
const chosen = MUTANTS.filter(
  (mutant) =>
    words.length === 0 || words.some((word) => (word === 'new' ? !hasRow(rows, mutant) : mutant.id.includes(word))),
);
if (chosen.length === 0) throw new Error(`No planted bug has ${words.join(' or ')} in its name.`);
const copy = await copyOfTree();
const broken = await brokenKillers(copy.folder, chosen).finally(copy.remove);
for (const name of broken) console.log(`does not pass on the tree as it is: ${name}`);
const measures = [...new Set([...readTree(ROOT).keys()].map((file) => file.split('/')[0]!))].sort();
const verdicts = await plantAll(chosen, 2, (verdict) => {
  const { mutant, outcome, seconds } = verdict;
  console.log(`${outcome.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`);
  if (broken.includes(nameOf(mutant.killer))) return;
  rows = withRow(rows, mutantRow(verdict, commit), MUTANTS);
  const oldest = rows.find((row) => row.commit === before?.commit)?.commit ?? commit;
  const evidence = writeEvidence('mutants', { command: 'npm run mutants', commit: oldest, measures, rows });
  writeFileSync(join(ROOT, 'docs', 'mutants.md'), mutantTable(MUTANTS, evidence));
});
const alive = verdicts.filter(({ outcome }) => outcome !== 'killed');
console.log(`${verdicts.length - alive.length} of ${verdicts.length} killed`);
process.exitCode = broken.length + alive.length > 0 ? 1 : 0;
