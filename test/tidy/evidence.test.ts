import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatPart, sectionOf, withReached } from '../../bench/measured-parts.ts';
import { clusterPage } from '../cluster/evidence-page.ts';
import { MUTANTS as PLANTED } from '../mutants/mutants.ts';
import { mutantTable } from '../mutants/table.ts';
import { MUTANTS } from '../power/mutants.fixture.ts';
import { page as powerPage } from '../power/page.ts';
import { codeDigest, type Evidence, hasChanged, readEvidence, UNMEASURED } from '../support/evidence.ts';
import { reliabilityPage } from '../support/reliability-record.ts';
import { ROOT, readProjectFile } from './source-files.ts';

/** Pages of which a run writes every line, and parts of pages that a benchmark writes. */
const WHOLE: Record<string, (evidence: Evidence, changed: boolean) => string> = {
  mutants: (evidence) => mutantTable(PLANTED, evidence),
  power: powerPage,
  reliability: reliabilityPage,
  cluster: clusterPage,
};
const PARTS: Record<string, string[]> = {
  performance: ['sampler', 'throughput', 'fortnight', 'sizes', 'stages', 'bounding', 'people'],
  occupancy: ['times'],
  'own-server': ['costs'],
  console: ['times'],
  people: ['example'],
  synthetic: ['utility'],
  utility: ['summary', 'figures', 'people', 'city', 'statuses', 'towns', 'designs', 'like'],
};

const pageOf = (name: string): string => readProjectFile(`docs/${name}.md`);

/** What the evidence of a page, or of a part of one, makes of it. */
function madeOf(name: string, made: (evidence: Evidence, changed: boolean) => string): string {
  const evidence = readEvidence(name);
  return evidence ? made(evidence, hasChanged(evidence)).trim() : UNMEASURED;
}

describe('pages with measured figures', () => {
  test.each(Object.keys(WHOLE))('docs/%s.md is what its evidence makes, or it says that it has none', (name) => {
    expect(pageOf(name).trim()).toBe(madeOf(name, WHOLE[name]!));
  });

  test.each(Object.entries(PARTS))('the measured parts of docs/%s.md are what their evidence makes', (name, parts) => {
    for (const part of parts) expect(sectionOf(pageOf(name), part).trim()).toBe(madeOf(`${name}-${part}`, formatPart));
  });

  test('what was reached of the aims is what its evidence says', () => {
    const reached = readEvidence('performance-aims')?.rows as Record<string, { value: string }> | undefined;
    const page = pageOf('performance');
    const values = Object.entries(reached ?? {}).map(([what, { value }]) => [what, value]);
    expect(withReached(page, Object.fromEntries(values))).toBe(page);
  });

  test('every file of evidence is one of a page, whole, and names code that there is', () => {
    const names = readdirSync(`${ROOT}/docs/evidence`).map((file) => file.replace(/\.json$/, ''));
    const known = [
      ...Object.keys(WHOLE),
      ...Object.entries(PARTS).flatMap(([name, parts]) => parts.map((part) => `${name}-${part}`)),
      'performance-aims',
      'power-clock',
      'power-usual',
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
    expect(typed.trim()).not.toBe(madeOf('power', powerPage));
    expect(powerPage(evidence, true)).not.toBe(powerPage(evidence, false));
    const measures = ['counts/audit'];
    expect(hasChanged({ code: codeDigest(measures), measures })).toBe(false);
    expect(hasChanged({ code: codeDigest(['core/json']), measures })).toBe(true);
    expect(MUTANTS.length).toBe((evidence.rows as { rows: unknown[] }).rows.length);
  });
});
