import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MUTANTS } from './mutants.ts';
import { brokenKillers, copyOfTree, plantAll, ROOT } from './planting.ts';
import { mutantTable } from './table.ts';

/** `node test/mutants/run.ts [word…]`: plants all bugs, or those whose id holds one of the words. */
const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ id }) => words.length === 0 || words.some((word) => id.includes(word)));
const copy = await copyOfTree();
const broken = await brokenKillers(copy.folder, chosen).finally(copy.remove);
for (const name of broken) console.log(`does not pass on the tree as it is: ${name}`);
const verdicts = await plantAll(chosen, 2, ({ mutant, outcome, seconds }) => {
  console.log(`${outcome.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.id}`);
});
const alive = verdicts.filter(({ outcome }) => outcome !== 'killed');
console.log(`${verdicts.length - alive.length} of ${verdicts.length} killed`);
await writeFile(join(ROOT, 'docs', 'mutants.md'), mutantTable(MUTANTS));
process.exitCode = broken.length + alive.length > 0 ? 1 : 0;
