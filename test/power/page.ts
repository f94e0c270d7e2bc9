import { SHADOW_TABLES } from '../../core/audit/mechanism/shadow-layout.ts';
import { type MatrixRow, TABLES } from './matrix.fixture.ts';

/** The page about the power of the audit: what catches which mutant, and how many honest releases raised an alarm. */
export function page(rows: readonly MatrixRow[], honest: { runs: number; alarms: number }, level: number): string {
  const lines = rows.map(({ mutant, runs, caught }) => {
    const others = [...caught].filter(([id]) => id !== mutant.check).sort((a, b) => b[1] - a[1]);
    const also = others.map(([id, times]) => `\`${id}\` ${times}/${runs}`).join(', ');
    return `| ${mutant.name} | \`${mutant.check}\` | ${caught.get(mutant.check) ?? 0} of ${runs} | ${also || '–'} |`;
  });
  return `# Power of the audit

What the audit would find, if it were there: ${rows.length} broken releases and mechanisms, each against every check. Each mutant has a check of its own, which has to catch it in at least 999 of 1,000 runs. This page is written by \`npm run power\`, which is a part of \`npm run soak\`; do not edit it. A shorter run (\`OPALINE_POWER_RUNS=100 npm run power\`) leaves it alone.

- Runs of each mutant: ${honest.runs}, with the seeds 1 to ${honest.runs}. A row counts runs in which a check did not pass.
- Honest releases that did not pass: ${honest.alarms} of ${honest.runs}. All tests of one audit together raise a false alarm with a chance of at most ${level} (Holm).
- Made-up tables of one run: ${TABLES}, unless a mutant takes more; production draws ${SHADOW_TABLES}, so that it sees more than this.
- Where only the mechanism is broken, the release is an honest one that the runs share, and the other way round. Linear programs are solved for the mutants of \`linear-bounds\` alone.

| mutant | its own check | caught | also seen by |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}
