import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Evidence,
  hasChanged,
  headCommit,
  originLine,
  readEvidence,
  writeEvidence,
} from '../test/support/evidence.ts';
import { withReached, withSection } from './throughput/page-section.ts';

/** The code that benchmarks measure. */
const MEASURES = ['activities', 'core', 'counts', 'custodian', 'kinds', 'services', 'worker', 'workflows'];

/** A part of a page as its evidence gives it: docs/evidence/PAGE-PART.json holds its lines. */
export const measuredPart = (evidence: Evidence, changed: boolean): string =>
  `${(evidence.rows as string[]).join('\n')}\n\n${originLine(evidence, changed)}`;

/** Writes the evidence of what this program has measured. */
export const writeRows = (name: string, rows: unknown, measures = MEASURES): Evidence =>
  writeEvidence(name, { command: `node bench/${basename(process.argv[1]!)}`, measures, rows });

/** Writes what a run has measured: its evidence, and from that the parts of a page of docs, by their names. */
export async function writeMeasured(
  pageName: string,
  parts: Readonly<Record<string, string>>,
  measures = MEASURES,
): Promise<void> {
  const path = fileURLToPath(new URL(`../docs/${pageName}.md`, import.meta.url));
  let page = await readFile(path, 'utf8');
  for (const [part, text] of Object.entries(parts)) {
    const evidence = writeRows(`${pageName}-${part}`, text.trim().split('\n'), measures);
    page = withSection(page, part, measuredPart(evidence, hasChanged(evidence)));
  }
  await writeFile(path, page);
  console.log(`Written: docs/${pageName}.md`);
}

/** The same of docs/performance.md, with what was reached of its aims. */
export async function writePerformance(
  parts: Readonly<Record<string, string>>,
  reached: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeMeasured('performance', parts);
  const commit = headCommit();
  const own = Object.entries(reached).map(([what, value]) => [what, { value, commit }]);
  const known = readEvidence('performance-aims')?.rows as object | undefined;
  if (own.length > 0) writeRows('performance-aims', { ...known, ...Object.fromEntries(own) });
  const path = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
  await writeFile(path, withReached(await readFile(path, 'utf8'), reached));
}
