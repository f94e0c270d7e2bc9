import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CHECK_IDS } from './matrix.fixture.ts';
import { MUTANTS } from './mutants.fixture.ts';

/** Checks that look at nothing but floors and hour rows; floors.test.ts has their mutants. */
const UNDER_FLOORS = ['hour-rows'];

test('each check has a name of its own and a mutant that it has to catch, and no mutant has the name of another', () => {
  expect(new Set(CHECK_IDS).size).toBe(CHECK_IDS.length);
  expect(new Set([...MUTANTS.map(({ check }) => check), ...UNDER_FLOORS])).toEqual(new Set(CHECK_IDS));
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test('the checks of floors have mutants beside the matrix', async () => {
  const floors = await readFile(new URL('./floors.test.ts', import.meta.url), 'utf8');
  for (const check of UNDER_FLOORS) expect(floors).toContain(`', '${check}', `);
});

test('docs/power.md has a row for every mutant with its check, and no other rows', async () => {
  const page = await readFile(new URL('../../docs/power.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (?<name>.+?) \| `(?<check>.+?)` \| \d+ of \d+ \|/gm)];
  expect(rows.map(({ groups }) => `${groups!.check}: ${groups!.name}`)).toEqual(
    MUTANTS.map(({ check, name }) => `${check}: ${name}`),
  );
});
