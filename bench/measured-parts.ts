import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Evidence,
  hasChanged,
  headCommit,
  originLine,
  readEvidence,
  writeEvidence,
} from '../test/support/evidence.ts';

/** The code that benchmarks measure. */
const MEASURES = ['activities', 'core', 'counts', 'custodian', 'kinds', 'services', 'worker', 'workflows'];

const partOf = (name: string): RegExp => new RegExp(`(<!-- ${name} -->)(.*?)(<!-- /${name} -->)`, 's');

/** What is between `<!-- name -->` and `<!-- /name -->`. Throws TypeError when the page has no such part. */
export function sectionOf(page: string, name: string): string {
  const match = partOf(name).exec(page);
  if (match) return match[2]!;
  throw new TypeError(`the page has no part <!-- ${name} --> … <!-- /${name} -->`);
}

/** The page with another text of a part. Throws TypeError when the page has no such part. */
export function withSection(page: string, name: string, text: string): string {
  sectionOf(page, name);
  return page.replace(partOf(name), (_, begin, __, end) => `${begin}\n${text.trim()}\n${end}`);
}

/**
 * The page with the last field of some rows of its tables replaced, by their first field. Throws TypeError when the page
 * has no such row.
 */
export function withReached(page: string, figures: Readonly<Record<string, string>>): string {
  const lines = page.split('\n');
  for (const [what, value] of Object.entries(figures)) {
    const at = lines.findIndex((line) => line.startsWith(`| ${what} |`));
    if (at < 0) throw new TypeError(`the page has no row ${what}`);
    lines[at] = `${lines[at]!.split(' | ').slice(0, -1).join(' | ')} | ${value} |`;
  }
  return lines.join('\n');
}

/** A part of a page as its evidence gives it: docs/evidence/PAGE-PART.json holds its lines. */
export const formatPart = (evidence: Evidence, isChanged: boolean): string =>
  `${(evidence.rows as string[]).join('\n')}\n\n${originLine(evidence, isChanged)}`;

function changePage(name: string, change: (page: string) => string): void {
  const file = new URL(`../docs/${name}.md`, import.meta.url);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/**
 * Prints what a run has measured, and writes it where the run is a whole one: its evidence, and from that the parts of a
 * page of docs, by their names.
 */
export function writeMeasured(
  pageName: string,
  parts: Readonly<Record<string, string>>,
  { measures = MEASURES, command = `node bench/${basename(process.argv[1]!)}`, isWhole = true } = {},
): void {
  console.log(Object.values(parts).join('\n\n'));
  if (!isWhole) return;
  for (const [part, text] of Object.entries(parts)) {
    const evidence = writeEvidence(`${pageName}-${part}`, { command, measures, rows: text.trim().split('\n') });
    changePage(pageName, (page) => withSection(page, part, formatPart(evidence, hasChanged(evidence))));
  }
  console.log(`Written: docs/${pageName}.md`);
}

/** The same of docs/performance.md, with what was reached of its aims. */
export function writePerformance(
  parts: Readonly<Record<string, string>>,
  figures: Record<string, string>,
  isWhole = true,
): void {
  writeMeasured('performance', parts, { isWhole });
  const commit = headCommit();
  const own = Object.entries(figures).map(([what, value]) => [what, { value, commit }]);
  if (own.length === 0 || !isWhole) return;
  const rows = { ...(readEvidence('performance-aims')?.rows as object), ...Object.fromEntries(own) };
  writeEvidence('performance-aims', { command: 'npm run bench', measures: MEASURES, rows });
  changePage('performance', (page) => withReached(page, figures));
}
