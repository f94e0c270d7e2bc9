import { describe, expect, test } from 'vitest';
import { planted, readTree } from './anchor.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { plantAll, ROOT } from './planting.ts';

describe('the table of planted bugs', () => {
  const tree = readTree(ROOT);

  test.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s: its places are there once', (_, mutant) => {
    expect(planted(tree, mutant).size).toBeGreaterThan(0);
  });

  test('names every bug once', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });
});

describe('planted bugs', () => {
  const quick = MUTANTS.filter((mutant) => mutant.quick);

  // On the tree as it is they pass with all other tests; npm run mutants asks that of every killer.
  test('the killers of some of them fail with the bug', async () => {
    const alive = (await plantAll(quick, 2)).filter(({ outcome }) => outcome !== 'killed');
    expect(alive.map(({ mutant, outcome }) => `${mutant.id}: ${outcome}`)).toEqual([]);
    // One for each of these clauses; npm run mutants plants all.
    expect(quick.map(({ clause }) => clause).sort()).toEqual(['C10', 'C11', 'C12', 'C16', 'C3', 'C6', 'C7', 'C8']);
  }, 600_000);

  test('broken twins: a change that breaks nothing survives, and one that breaks the build is no kill', async () => {
    const [first] = quick as [Mutant];
    const [edit] = first.edits as [Mutant['edits'][number]];
    const harmless = { ...first, id: 'harmless', edits: [{ ...edit, to: `${edit.from} /* again */` }] };
    const twice = '(() => { const one = 1; const one = 2; })()';
    const unreadable = { ...first, id: 'unreadable', edits: [{ ...edit, to: twice }] };
    const verdicts = await plantAll([harmless, unreadable], 1);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['survived', 'unclear']);
  }, 600_000);
});
