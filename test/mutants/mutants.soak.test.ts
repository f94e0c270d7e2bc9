import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { brokenKillers, copyOfTree, plantAll } from './planting.ts';

test('every planted bug is killed by the test that is named for it', async () => {
  const copy = await copyOfTree();
  expect(await brokenKillers(copy.folder, MUTANTS).finally(copy.remove)).toEqual([]);
  const alive = (await plantAll(MUTANTS, 2)).filter(({ outcome }) => outcome !== 'killed');
  expect(alive.map(({ mutant, outcome }) => `${mutant.id}: ${outcome}`)).toEqual([]);
});
