import { createHash } from 'node:crypto';
import type { Evidence } from '../support/evidence.ts';
import type { Mutant } from './mutant.ts';
import type { Verdict } from './planting.ts';

/** A raw row of docs/evidence/mutants.json: what a run at a commit saw of one bug, and the digest of what was planted. */
export type MutantRow = { id: string; outcome: Verdict['outcome']; commit: string; planted: string };

/** What is planted and what has to notice it: a row of another digest is about another bug. */
const digestOf = ({ edits, killer }: Mutant): string =>
  createHash('sha256')
    .update(JSON.stringify([edits, killer]))
    .digest('hex')
    .slice(0, 16);

export const mutantRow = ({ mutant, outcome }: Verdict, commit: string): MutantRow => ({
  id: mutant.id,
  outcome,
  commit,
  planted: digestOf(mutant),
});

/** Is there a row of the bug as it is now? */
export const hasRow = (rows: readonly MutantRow[], mutant: Mutant): boolean =>
  rows.some(({ id, planted }) => id === mutant.id && planted === digestOf(mutant));

/** Rows with one of a later run in its place; in the order of the bugs. */
export const withRow = (rows: readonly MutantRow[], row: MutantRow, all: readonly Mutant[]): MutantRow[] =>
  all.flatMap((mutant) => [row, ...rows].find(({ id }) => id === mutant.id) ?? []);

/** The page docs/mutants.md: the bugs, and what the last run of each saw. */
export function mutantTable(mutants: readonly Mutant[], evidence: Evidence | null): string {
  const ran = new Map(((evidence?.rows ?? []) as MutantRow[]).map((row) => [row.id, row]));
  const outcomeOf = (mutant: Mutant): string => {
    const row = ran.get(mutant.id);
    if (!row) return 'not run yet';
    return hasRow([row], mutant) ? `${row.outcome}, ${row.commit.slice(0, 12)}` : 'not run as it is now';
  };
  const outcomes = mutants.map(outcomeOf);
  const rows = mutants.map(({ id, bug, clause, edits, killer }, place) => {
    const places = [...new Set(edits.map((edit) => `\`${edit.in}\``))].join(', ');
    return `| ${id} | ${bug} | ${clause} | ${places} | ${killer.file}: ${cell(killer.test)} | ${outcomes[place]} |`;
  });
  return `# Planted bugs

Bugs that real systems have had, and others that would break a clause of the privacy contract. Each is planted by a
script in a copy of the tree, one at a time, and has to make the test that is named here fail; on the tree as it is the
test has to pass. \`npm run mutants\` plants them all and writes this page; a few are planted in every test run.

Killed: ${outcomes.filter((outcome) => outcome.startsWith('killed')).length} of ${mutants.length}. The last column is what the last run of a bug saw, and the commit that was checked out;
code may have changed since. Rows are in \`docs/evidence/mutants.json\`.

| bug | what it does | clause | planted in | to be killed by | outcome |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
