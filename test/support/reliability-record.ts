import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Evidence, hasChanged, originLine, writeEvidence } from './evidence.ts';

/** What came of releases that met one kind of fault. */
export type Reliability = {
  fault: string;
  injected: number;
  releases: number;
  completed: number;
  failedClearly: number;
  outputsDiffering: number;
  ledgerErrors: number;
  leftovers: number;
  seed: number;
};

/** What every row has to say, whatever its releases met. */
export const UNHARMED = { outputsDiffering: 0, ledgerErrors: 0, leftovers: 0 } as const;

const RECORD = fileURLToPath(new URL('../../node_modules/.cache/opaline/reliability.jsonl', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

export async function recordReliability(row: Reliability): Promise<void> {
  await mkdir(dirname(RECORD), { recursive: true });
  await appendFile(RECORD, `${JSON.stringify(row)}\n`);
}

/** Start of a soak run: what an earlier run saw is forgotten. With OPALINE_SOAK_KEEP=1 the run adds to it. */
export async function setup(): Promise<void> {
  if (process.env.OPALINE_SOAK_KEEP !== '1') await rm(RECORD, { force: true });
}

/** End of a soak run: the page is written again from what it saw; a run without fault tests leaves it alone. */
export async function teardown(): Promise<void> {
  const text = await readFile(RECORD, 'utf8').catch(() => '');
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Reliability => JSON.parse(line));
  if (rows.length === 0) return;
  const evidence = writeEvidence('reliability', {
    command: 'npm run soak',
    measures: ['activities', 'core', 'counts', 'custodian', 'kinds', 'services', 'worker', 'workflows'],
    rows,
  });
  await writeFile(PAGE, reliabilityPage(evidence, hasChanged(evidence)));
}

/** The page: one row for each kind of fault, summed over the seeds. */
export function reliabilityPage(evidence: Evidence, changed: boolean): string {
  const rows = evidence.rows as readonly Reliability[];
  const faults = [...new Set(rows.map(({ fault }) => fault))].sort();
  const line = (fault: string): string => {
    const some = rows.filter((row) => row.fault === fault);
    const sum = (of: (row: Reliability) => number) => some.reduce((total, row) => total + of(row), 0);
    const cells = [
      sum((row) => row.injected),
      sum((row) => row.releases),
      sum((row) => row.completed),
      sum((row) => row.failedClearly),
      sum((row) => row.outputsDiffering),
      sum((row) => row.ledgerErrors),
      sum((row) => row.leftovers),
    ];
    const seeds = [...new Set(some.map(({ seed }) => seed))].sort((a, b) => a - b);
    return `| ${fault} | ${cells.join(' | ')} | ${seeds.join(', ')} |`;
  };
  return `# Reliability

What the fault tests of \`npm run soak\` saw. ${originLine(evidence, changed)} The run writes this page from \`docs/evidence/reliability.json\`; the tests are \`test/fault/*.soak.test.ts\`, and short forms of some run in CI. A whole run kills sixty times; smaller numbers below are a part of one.

| fault | injected | releases | completed | failed with one clear cause | outputs differing | ledger errors | leftovers | seeds |
|---|---|---|---|---|---|---|---|---|
${faults.map(line).join('\n')}

- **outputs differing**: data files that differ from those derived again, without faults, from the same draws; and published files that differ from the manifest.
- **ledger errors**: a broken chain, or releases with anything but one reserve and one commit.
- **leftovers**: files or folders below the scratch folders of both workers, and uploads in parts that were neither completed nor aborted, after the release had ended.
- **seeds** choose what is hit, and when. The same seed gives the same choices; when a stage runs is up to the machine.
`;
}
