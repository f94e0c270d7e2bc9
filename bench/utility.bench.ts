import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nullOn } from '../contracts/errors.ts';
import { binWindow } from '../examples/binned-window.fixture.ts';
import { EXAMPLES } from '../examples/prepare.ts';
import { locateFiles } from '../stack/embedded-files.ts';
import { writeMeasured } from './measured-parts.ts';
import { inFolder, writePicture } from './measuring.ts';
import { type Comparison, compareDesigns } from './utility/mechanism-comparison.ts';
import { dotPicture, figureText, summaryTable } from './utility/utility-tables.ts';

/**
 * Utility of the designs at the same total ε, on the weeks of the examples, through the real ingest and bin. Run with
 * `node bench/utility.bench.ts`; it takes about ten minutes and writes the parts of docs/utility.md and its picture, the
 * same again each time. Where real data is not present it leaves them as they are.
 */
const WEEKS = [
  { example: 'oyster', data: 'Oyster week', units: ['trip'] },
  // The series protects a tap, since nobody knows which taps are one trip; the release of 2017 protected a trip.
  { example: 'opal', data: 'Opal week', units: ['trip', 'tap'] },
  { example: 'demo', data: 'Generated week', units: ['trip'] },
] as const;

const comparisons: Comparison[] = [];
await inFolder(async (root) => {
  for (const { example, data, units } of WEEKS) {
    const { source, windows } = EXAMPLES[example];
    const objects = await source(locateFiles(root)).catch(nullOn('OBJECT_MISSING'));
    if (objects === null) continue;
    const series = fileURLToPath(new URL(`../examples/${example}.yaml`, import.meta.url));
    const { partitions, faults } = await binWindow(join(root, example), series, objects, windows[0]);
    if (faults.length > 0) throw new Error(`objects of the example ${example} are at fault`);
    comparisons.push(...units.map((unit) => compareDesigns(data, unit, partitions)));
  }
});
const [summary, figures] = [summaryTable(comparisons), figureText(comparisons)];
const isWhole = WEEKS.every(({ data }) => comparisons.some((one) => one.data === data));
const measures = ['activities', 'core', 'counts', 'custodian', 'kinds', 'examples'];
writeMeasured('utility', { summary, figures }, { measures, isWhole });
if (isWhole) {
  const label = 'For each week and design: taps in fine cells, bias and error of the location totals';
  await writePicture('utility', label, dotPicture(comparisons));
} else console.log('Real data is not present (set OPALINE_DATA). docs/utility.md is left as it is.');
