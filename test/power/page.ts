import { HIGH_CELLS, SHADOW_TABLES } from '../../counts/audit/mechanism/shadow-layout.ts';
import { type Evidence, hasChanged, originLine, readEvidence, UNMEASURED } from '../support/evidence.ts';
import { type MatrixRow, TABLES } from './matrix.fixture.ts';

/** Raw rows of docs/evidence/power.json: how often each check did not pass, of each mutant, and at which commit. */
export type PowerRow = { mutant: string; check: string; runs: number; caught: Record<string, number>; commit: string };
export type PowerRows = {
  rows: PowerRow[];
  faint: PowerRow[];
  honest: { runs: number; alarms: number; level: number };
};

/** The code whose power it is. */
export const MEASURED = ['counts/audit', 'counts/mechanisms', 'core/statistics', 'test/power'];

/** What a run of this commit saw of one mutant. */
export const powerRow = ({ mutant, runs, caught }: MatrixRow, commit: string): PowerRow => ({
  mutant: mutant.name,
  check: mutant.check,
  runs,
  caught: Object.fromEntries([...caught].sort()),
  commit,
});

/** Rows of an earlier run with those that were measured again in their place; in the order of the mutants. */
export const withMeasured = (
  before: readonly PowerRow[],
  measured: readonly PowerRow[],
  mutants: readonly { name: string }[],
): PowerRow[] => mutants.flatMap(({ name }) => [...measured, ...before].find(({ mutant }) => mutant === name) ?? []);

/** The page about the power of the audit: what catches which mutant, and how many honest releases raised an alarm. */
export function page(evidence: Evidence, changed: boolean): string {
  const { rows, faint, honest } = evidence.rows as PowerRows;
  const lines = rows.map(({ mutant, check, runs, caught }) => {
    const others = Object.entries(caught)
      .filter(([id]) => id !== check)
      .sort((a, b) => b[1] - a[1]);
    const also = others.map(([id, times]) => `\`${id}\` ${times}/${runs}`).join(', ');
    return `| ${mutant} | \`${check}\` | ${caught[check] ?? 0} of ${runs} | ${also || '–'} |`;
  });
  const measured = faint.map(
    ({ mutant, check, runs, caught }) =>
      `| ${mutant} | \`${check}\` | ${((100 * (caught[check] ?? 0)) / runs).toFixed(1)} % |`,
  );
  return `# Power of the audit

What the audit would find, if it were there: ${rows.length} broken releases and mechanisms, each against every check. Each mutant has a check of its own, which has to catch it in at least 999 of 1,000 runs. This page is written by \`npm run power\`, which takes an hour and is no part of \`npm run soak\`; do not edit it. A shorter run (\`OPALINE_POWER_RUNS=100 npm run power\`) leaves it alone; \`OPALINE_POWER_MUTANTS=parquet npm run power\` measures the mutants with that word in their names, and no others.

${originLine(evidence, changed)} Rows are in \`docs/evidence/power.json\`, each with its commit.

- Runs of each mutant: ${honest.runs}, with the seeds 1 to ${honest.runs}. A row counts runs in which a check did not pass.
- Honest releases that did not pass: ${honest.alarms} of ${honest.runs}. All tests of one audit together raise a false alarm with a chance of at most ${honest.level} (Holm).
- Made-up tables of one run: ${TABLES}, unless a mutant takes more; production draws ${SHADOW_TABLES}, so that it sees more than this.
- Where only the mechanism is broken, the release is an honest one that the runs share, and the other way round. Linear programs are solved for the mutants of \`linear-bounds\` alone.

| mutant | its own check | caught | also seen by |
| --- | --- | --- | --- |
${lines.join('\n')}

## Found now and then

Faults between what is always found and what nobody can find: how often the check that is there for them found them, in as many runs, with all made-up tables or a release of about 50 published cells. Nothing is promised of these; more cells show more.

| mutant | its own check | power |
| --- | --- | --- |
${measured.join('\n')}

${usualPart()}
${clockPart()}
## What no audit finds

${UNSEEN.map((sentence) => `- ${sentence}`).join('\n')}
`;
}

/** Rows of docs/evidence/power-usual.json and power-clock.json: how many weeks after a number of others were named. */
export type UsualRow = { what: string; weeks: number; runs: number; seen: number };

/** How often `usual-taps` names honest weeks, and losses. */
const usualPart = (): string =>
  weeksPart(
    'power-usual',
    'Days that are lost',
    `How often \`usual-taps\` names a week of a made-up town, by the weeks that were published before (\`test/power/honest-town.fixture.ts\`). It has four modes, of 200,000, 40,000, 6,000 and 300 taps on a weekday, with noise of a standard deviation of 60; a trend of up to a tenth a year, a season, weeks that differ by 3 % and days by 4 %, one in twenty by 10 %; and declared holidays. A week counts as seen when a day of the mode is named; honest ones when any is. The towns are made by seeds that no constant of the checks was chosen with. Below four weeks nothing is judged. A line with a tenth of the taps of its mode looks like an ordinary week, and nothing that sees totals alone can tell.`,
  );

/** How often `usual-profile` names honest weeks, and wrong clocks. */
const clockPart = (): string =>
  weeksPart(
    'power-clock',
    'Clocks that are wrong',
    'How often `usual-profile` names a week of the same town, whose days have hours: two peaks on days of work and one hump at the weekend, up to half an hour apart by mode; each day early or late by 8 minutes, each hour different by 6 %; one day in twenty with an hour of 15 % more taps, one in twenty with three hours that lack two thirds. The clock of one day of the mode is wrong. It sees whole hours, and the noisy totals of times alone; a clock that was wrong from the first publication on it cannot see.',
  );

function weeksPart(name: string, heading: string, what: string): string {
  const evidence = readEvidence(name);
  if (!evidence) return `## ${heading}\n\n${what}\n\n${UNMEASURED}\n`;
  const rows = evidence.rows as UsualRow[];
  const weeks = [...new Set(rows.map((row) => row.weeks))];
  const lines = [...new Set(rows.map((row) => row.what))].map((what) => {
    const own = rows.filter((row) => row.what === what);
    return `| ${what} | ${own.map(({ seen, runs }) => `${((100 * seen) / runs).toFixed(runs > 1000 ? 2 : 1)} %`).join(' | ')} |`;
  });
  return `## ${heading}

${what}

${originLine(evidence, hasChanged(evidence))} Honest weeks: ${rows[0]!.runs} each; others: ${rows.at(-1)!.runs}. A share of 1 % of the honest ones has a standard error of ${(100 * Math.sqrt((0.01 * 0.99) / rows[0]!.runs)).toFixed(1)} points, and one of a half of the others one of ${(50 / Math.sqrt(rows.at(-1)!.runs)).toFixed(0)}.

| week | ${weeks.map((each) => `after ${each} weeks`).join(' | ')} |
| --- | ${weeks.map(() => '---').join(' | ')} |
${lines.join('\n')}
`;
}

/** Why nobody can tell some faults from an honest mechanism by what it shows; the first is measured above. */
const UNSEEN = [
  `**Noise that is cut beyond eight scales or more.** Honest noise goes there once in 3,000 draws or more, and of the ${(SHADOW_TABLES * HIGH_CELLS).toLocaleString('en')} large counts of a shadow run five times at most: none at all is no rare chance. How far that is depends on the scale, since noise is whole numbers: with a scale of one half, seven scales are out of reach too, and the check says in its sentence whether six were within it. The sampler is proved instead, and tested alone with a billion draws.`,
  '**A generator with a short seed, of 16 bits say.** Each table has the right law. Only who knows the generator can try all seeds, and what is drawn gives no hint of it. A worker refuses every source of randomness but that of the kernel (C7).',
  '**A dictionary of places that was made from the data.** It is a list like any other. Its digest is in the manifest, and the certificate lists as an assumption that it is a public one (C4).',
  '**Two whole releases of which one was chosen.** That is one choice for all tables, and moves what a release shows by less than its own chance does (measured above). A draw is stored before anybody sees it, once for each partition, and a second one is charged (C11, C12).',
  '**A mechanism that knows a made-up table.** Shadow runs go through the activity that draws releases, in stores of their own, and the names of their series and parts tell them apart. The build is named in the manifest, so that its source can be read (C15).',
];
