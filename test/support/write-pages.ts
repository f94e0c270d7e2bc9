import { readFileSync, writeFileSync } from 'node:fs';
import { formatPart, withSection } from '../../bench/measured-parts.ts';
import { clusterPage } from '../cluster/evidence-page.ts';
import { MUTANTS } from '../mutants/mutants.ts';
import { mutantTable } from '../mutants/table.ts';
import { page as powerPage } from '../power/page.ts';
import { type Evidence, hasChanged, readEvidence } from './evidence.ts';
import { reliabilityPage } from './reliability-record.ts';

/**
 * `node test/support/write-pages.ts`: makes pages again from the evidence that is there, without measuring: after code
 * that was measured has changed, or where two branches have measured.
 */
const WHOLE = {
  mutants: (evidence: Evidence) => mutantTable(MUTANTS, evidence),
  power: powerPage,
  reliability: reliabilityPage,
  cluster: clusterPage,
};
const PARTS = ['performance', 'occupancy', 'synthetic', 'utility', 'own-server', 'console', 'people'];

const pathOf = (name: string): URL => new URL(`../../docs/${name}.md`, import.meta.url);

for (const [name, made] of Object.entries(WHOLE)) {
  const evidence = readEvidence(name);
  if (evidence) writeFileSync(pathOf(name), made(evidence, hasChanged(evidence)));
}
for (const name of PARTS) {
  let page = readFileSync(pathOf(name), 'utf8');
  for (const [, part] of page.matchAll(/^<!-- (\w+) -->$/gm)) {
    const evidence = readEvidence(`${name}-${part}`);
    // What was reached of the aims is no part of its own: benchmarks fill it row by row.
    if (evidence && Array.isArray(evidence.rows))
      page = withSection(page, part!, formatPart(evidence, hasChanged(evidence)));
  }
  writeFileSync(pathOf(name), page);
}
