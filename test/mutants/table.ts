import type { Mutant } from './mutant.ts';

/** The table of docs/mutants.md. */
export function mutantTable(mutants: readonly Mutant[]): string {
  const rows = mutants.map(
    ({ id, bug, clause, edits, killer }) =>
      `| ${id} | ${bug} | ${clause} | ${[...new Set(edits.map(({ file }) => file))].join(', ')} | ${killer.file}: ${cell(killer.test)} |`,
  );
  return `# Planted bugs

Bugs that real systems have had, and others that would break a clause of the privacy contract. Each is planted by a
script in a copy of the tree, one at a time, and has to make the test that is named here fail; on the tree as it is the
test has to pass. \`npm run mutants\` plants them all and writes this table; a few are planted in every test run.

| bug | what it does | clause | planted in | killed by |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
