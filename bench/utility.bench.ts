import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nullOn } from '../contracts/errors.ts';
import { binWindow } from '../examples/binned-window.fixture.ts';
import { EXAMPLES, type ExampleName } from '../examples/prepare.ts';
import { embeddedFiles } from '../stack/embedded-files.ts';
import { hasChanged } from '../test/support/evidence.ts';
import { measuredPart, writeRows } from './measured-parts.ts';
import { sectionOf, withSection } from './throughput/page-section.ts';
import { type ComparedUnit, type Comparison, compareDesigns } from './utility/comparison.ts';
import { pageOf } from './utility/page.ts';
import { plotOf } from './utility/plot.ts';
import { cellTable, totalTable } from './utility/tables.ts';

/**
 * Utility of the designs at the same total ε, on the weeks of the examples, through the real ingest and bin. Run with
 * `node bench/utility.bench.ts`; it takes about ten minutes and writes docs/utility.md and its plot, always the same.
 * Real data that is not present is left out, and the files are then left alone.
 */
const WEEKS: { example: ExampleName; data: string; units: ComparedUnit[] }[] = [
  { example: 'oyster', data: 'Oyster week', units: ['trip'] },
  // The series protects a tap, since nobody knows which taps are one trip; the release of 2017 protected a trip.
  { example: 'opal', data: 'Opal week', units: ['trip', 'tap'] },
  { example: 'demo', data: 'Generated week', units: ['trip'] },
];

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The folder of the week's source objects, or null when its real data is not present. */
const sourceOf = (root: string, example: ExampleName): Promise<string | null> =>
  EXAMPLES[example].source(embeddedFiles(root)).catch(nullOn('OBJECT_MISSING'));

async function compareAll(root: string): Promise<{ comparisons: Comparison[]; absent: string[] }> {
  const comparisons: Comparison[] = [];
  const absent: string[] = [];
  for (const { example, data, units } of WEEKS) {
    const source = await sourceOf(root, example);
    if (source === null) {
      absent.push(data);
      continue;
    }
    const series = file(`../examples/${example}.yaml`);
    const { partitions, faults } = await binWindow(join(root, example), series, source, EXAMPLES[example].windows[0]);
    if (faults.length > 0) throw new Error(`objects of the example ${example} are at fault`);
    comparisons.push(...units.map((unit) => compareDesigns(data, unit, partitions)));
  }
  return { comparisons, absent };
}

const root = await mkdtemp(join(tmpdir(), 'opaline-utility-'));
try {
  const { comparisons, absent } = await compareAll(root);
  console.log(`${cellTable(comparisons)}\n\n${totalTable(comparisons)}\n`);
  if (absent.length > 0) {
    console.log(`Not present: ${absent.join(', ')} (set OPALINE_DATA). docs/utility.md is left as it is.`);
  } else {
    const page = file('../docs/utility.md');
    const statuses = sectionOf(await readFile(page, 'utf8'), 'statuses');
    const evidence = writeRows('utility', pageOf(comparisons).trim().split('\n'));
    const made = `${measuredPart(evidence, hasChanged(evidence))}\n`;
    await writeFile(page, withSection(made, 'statuses', statuses));
    await writeFile(file('../docs/pictures/utility.svg'), plotOf(comparisons));
    console.log('Written: docs/utility.md, docs/pictures/utility.svg');
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
