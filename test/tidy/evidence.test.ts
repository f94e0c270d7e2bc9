import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { measuredPart, sectionOf, withReached } from '../../bench/measured-parts.ts';
import { MUTANTS as PLANTED } from '../mutants/mutants.ts';
import { mutantTable } from '../mutants/table.ts';
import { MUTANTS } from '../power/mutants.fixture.ts';
import { page as powerPage } from '../power/page.ts';
import { codeDigest, type Evidence, HAND_LINE, hasChanged, readEvidence } from '../support/evidence.ts';
import { reliabilityPage } from '../support/reliability-record.ts';
import { ROOT, readProjectFile } from './source-files.ts';

/** Pages of which a run writes every line, and parts of pages that a benchmark writes. */
const WHOLE: Record<string, (evidence: Evidence, changed: boolean) => string> = {
  mutants: (evidence) => mutantTable(PLANTED, evidence),
  power: powerPage,
  reliability: reliabilityPage,
};
const PARTS: Record<string, string[]> = {
  performance: ['throughput', 'privatize', 'fortnight', 'stages', 'bounding', 'backfill'],
  occupancy: ['times'],
  synthetic: ['utility'],
  utility: ['summary', 'figures', 'statuses'],
};

const pageOf = (name: string): string => readProjectFile(`docs/${name}.md`);

/** What a page, or a part of it, says and what its evidence makes of it; nothing when there is no evidence. */
function compared(
  name: string,
  found: string,
  made: (evidence: Evidence, changed: boolean) => string,
): [string, string][] {
  const evidence = readEvidence(name);
  if (!evidence) return [];
  return [[found.trim(), made(evidence, hasChanged(evidence)).trim()]];
}

describe('pages with measured figures', () => {
  test.each(Object.keys(WHOLE))('docs/%s.md is what its evidence makes, or says that it has none', (name) => {
    const both = compared(name, pageOf(name), WHOLE[name]!);
    for (const [found, made] of both) expect(found).toBe(made);
    expect(both.length > 0 || HAND_LINE.test(pageOf(name))).toBe(true);
  });

  test.each(Object.entries(PARTS))('the measured parts of docs/%s.md are what their evidence makes', (name, parts) => {
    const both = parts.flatMap((part) => compared(`${name}-${part}`, sectionOf(pageOf(name), part), measuredPart));
    for (const [found, made] of both) expect(found).toBe(made);
    expect(both.length === parts.length || HAND_LINE.test(pageOf(name))).toBe(true);
  });

  test('what was reached of the aims is what its evidence says', () => {
    const reached = readEvidence('performance-aims')?.rows as Record<string, { value: string }> | undefined;
    const page = pageOf('performance');
    const values = Object.entries(reached ?? {}).map(([what, { value }]) => [what, value]);
    expect(withReached(page, Object.fromEntries(values))).toBe(page);
    if (!reached) expect(pageOf('performance')).toMatch(HAND_LINE);
  });

  test('every file of evidence is one of a page, whole, and names code that there is', () => {
    const names = readdirSync(`${ROOT}/docs/evidence`).map((file) => file.replace(/\.json$/, ''));
    const known = [
      ...Object.keys(WHOLE),
      ...Object.entries(PARTS).flatMap(([name, parts]) => parts.map((part) => `${name}-${part}`)),
      'performance-aims',
    ];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    for (const name of names) expect(readEvidence(name)!.measures.length).toBeGreaterThan(0);
  });

  test('a row that is typed by hand is caught, and so is code that changed after it was measured', () => {
    const evidence = readEvidence('power')!;
    const typed = pageOf('power').replace(
      '\n| a day without data |',
      '\n| a typed row | `sums` | 1000 of 1000 | – |\n| a day without data |',
    );
    expect(typed).not.toBe(pageOf('power'));
    for (const [found, made] of compared('power', typed, powerPage)) expect(found).not.toBe(made);
    expect(powerPage(evidence, true)).not.toBe(powerPage(evidence, false));
    const measures = ['counts/audit'];
    expect(hasChanged({ code: codeDigest(measures), measures })).toBe(false);
    expect(hasChanged({ code: codeDigest(['core/json']), measures })).toBe(true);
    expect(MUTANTS.length).toBe((evidence.rows as { rows: unknown[] }).rows.length);
  });
});
