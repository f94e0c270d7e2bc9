import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nullOn } from '../contracts/errors.ts';
import { binWindow } from '../examples/binned-window.fixture.ts';
import { EXAMPLES } from '../examples/prepare.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { writeMeasured } from './measured-parts.ts';
import { inFolder, markdownTable, writePicture } from './measuring.ts';
import { growCity, thinCity } from './utility/city.ts';
import { cityDesigns, drawFigures, gaussianWeek, peoplePicture, peopleTable } from './utility/people.ts';
import { cellsOf, tapsOf } from './utility/utility-measures.ts';
import { share } from './utility/utility-tables.ts';

/**
 * What a week of a whole city shows when people are protected, beside trips: the Oyster week, a sample of 5 %, times 20,
 * straight into the draw. Run with `node bench/utility-people.bench.ts`; it takes about ten minutes and writes the part
 * `people` of docs/utility.md and its picture, the same again each time. It needs the real data.
 */
const TIMES = 20;
const SPREAD = 0.15;
const SEED = 1;

const { source, windows } = EXAMPLES.oyster;
await inFolder(async (root) => {
  const objects = await source().catch(nullOn('OBJECT_MISSING'));
  if (objects === null)
    return console.log('Real data is not present (set OPALINE_DATA). docs/utility.md is left as it is.');
  const series = fileURLToPath(new URL('../examples/oyster.yaml', import.meta.url));
  const { partitions: sample, faults } = await binWindow(join(root, 'oyster'), series, objects, windows[0]);
  if (faults.length > 0) throw new Error('objects of the example are at fault');
  const grow = (from: typeof sample, spread: number) => growCity(from, { times: TIMES, spread }, seededSource(SEED));
  const city = grow(sample, SPREAD);
  const taps = tapsOf(city);
  const cells = cellsOf(city);
  const outcomes = cityDesigns(cells).map((one) => {
    const figures = drawFigures(city, one.certificate);
    console.log(one.name, one.certificate.threshold, figures);
    return { ...one, figures };
  });

  const [one, four] = [gaussianWeek(1, '1/100000000', cells), gaussianWeek(4, '1/100000000', cells)];
  const subsample = thinCity(city, 1 / TIMES, seededSource(SEED + 1));
  const others = [
    ['the city', city, one],
    ['the recipe on a sample of 5 % of this very city', grow(subsample, SPREAD), one],
    ['the recipe with 50 % spread', grow(sample, 0.5), one],
    ['the recipe with 100 % spread', grow(sample, 1), one],
    ['the sample itself, ε = 4', sample, four],
  ] as const;
  const rows = others.map(([name, partitions, certificate]) => {
    const { inCells, inHours } = drawFigures(partitions, certificate);
    return [name, share(inCells), share(inHours)];
  });
  const text = `The city has ${taps.toLocaleString('en-GB')} taps and ${cells.toLocaleString('en-GB')} cells of its public domain.

${peopleTable(outcomes)}

What the recipe flatters, for a card’s week at ε = 1 and δ = 1e-8:

${markdownTable(['of', 'taps in fine cells', 'in hour rows'], rows)}`;
  writeMeasured('utility', { people: text }, { measures: ['core', 'counts', 'bench/utility', 'examples/oyster.yaml'] });
  const label = 'For each design: taps of the city in fine cells, in hour rows, and in totals alone';
  await writePicture('utility-people', label, peoplePicture(outcomes));
});
