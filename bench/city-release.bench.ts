import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { STAGES } from '../contracts/names.ts';
import type { ExactPartition } from '../examples/binned-window.fixture.ts';
import { generatePeople } from '../examples/people/generate-people.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { type CityRelease, releaseCity } from './city-release/city-release.ts';
import { protectionsOf, writeCitySeries } from './city-release/city-series.ts';
import { writeMeasured, writePerformance } from './measured-parts.ts';
import { inFolder, markdownTable, numberGiven, sumOf } from './measuring.ts';
import { tapsOf, UtilityMeter } from './utility/utility-measures.ts';
import { densityTable, percent, percentWithSign, whole } from './utility/utility-tables.ts';

/**
 * A generated city of people on the embedded stack, from its trips to a verified publication: when a trip is protected,
 * and when a card's whole week is, with Laplace and with Gaussian noise. Processor time and memory of each stage, and
 * what each of the three publications shows. Run with `node bench/city-release.bench.ts [millions of cards]`; from half a
 * million on it writes its parts of docs/performance.md and docs/utility.md. Five are a city of 57 million taps. Aim: at
 * most 1,500 MiB resident in each process.
 */
const [WHOLE, WRITTEN_FROM] = [5, 0.5];
const millions = numberGiven(0, WHOLE);
const CARDS = millions * 1_000_000;

const protections = protectionsOf(CARDS);
const releases: CityRelease[] = [];
let sourceMiB = 0;

/** Every trip counts where trips are protected, so that these are all taps. */
const cityOf = (): ExactPartition[] => releases[0]!.partitions.map(({ exact }) => exact);

/** What a publication shows of all taps of the city, by the headings of the figures. */
function figuresOf(at: number): Record<string, string> {
  const { partitions, certificate } = releases[at]!;
  const city = cityOf();
  const meter = new UtilityMeter();
  for (const [place, { release }] of partitions.entries()) meter.add(city[place]!, release);
  const { inCells, inHours, locationBias, timeError, locationError } = meter.figures;
  const counts = partitions.map(({ exact }) => exact);
  return {
    protects: protections[at]!.name,
    δ: certificate.delta,
    'cells from': String(certificate.threshold),
    'hour rows from': String(certificate.hours!.floor),
    'left out by the bounds': percent({ mean: 1 - tapsOf(counts) / tapsOf(city) }),
    'taps in fine cells': percent({ mean: inCells }),
    'in hour rows': percent({ mean: inHours }),
    'totals: bias': percentWithSign({ mean: locationBias }),
    'error of times, a day': percent({ mean: timeError }),
    'error of locations, a day': percent({ mean: locationError }),
  };
}

await inFolder(async (source) => {
  await generatePeople(source, { cards: CARDS, seed: 1 });
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.parquet'));
  sourceMiB = sumOf(await Promise.all(names.map(async (name) => (await stat(join(source, name))).size))) / 2 ** 20;
  for (const protection of protections) {
    releases.push(await releaseCity(source, await writeCitySeries(newFolder(), protection)));
    console.log(protection.name, releases.at(-1)!.uses, figuresOf(releases.length - 1));
  }
});

const city = cityOf();
const taps = tapsOf(city);

const stages = [...STAGES.filter((stage) => releases[0]!.uses.has(stage)), 'verify'] as const;
const secondsOf = ({ uses }: CityRelease): number => sumOf([...uses.values()].map((use) => use.processorSeconds));
const heads = protections.flatMap(({ name }) => [`${name}: processor seconds (clock)`, 'MiB']);
const rows = stages.map((stage) => [
  stage,
  ...releases.flatMap(({ uses }) => {
    const { processorSeconds = 0, seconds = 0, residentMiB = 0 } = uses.get(stage) ?? {};
    return [`${processorSeconds.toFixed(1)} (${seconds.toFixed(1)})`, residentMiB.toFixed(0)];
  }),
]);
const timesTrips = releases.flatMap((release) => [(secondsOf(release) / secondsOf(releases[0]!)).toFixed(2), '']);
const performance = `The week of a generated city of ${millions} million cards with ${whole(taps)} taps, ${sourceMiB.toFixed(0)} MiB of Parquet in ${
  7 * Math.ceil(CARDS / 200_000)
} objects, from the source to a publication that the command line verifies, each on a stack of its own. Both workers and
the processes that compute for them, without the Temporal server; resident memory is that of the largest process.

${markdownTable(['stage', ...heads], [...rows, ['all, times trips', ...timesTrips]])}`;

const people = releases[1]!;
const figures = releases.map((_, at) => figuresOf(at));
const utility = `${whole(taps)} taps of ${millions} million cards; one draw each, as it was published. Shares and errors are of all taps, also those that the bounds leave out.

${markdownTable(Object.keys(figures[0]!), figures.map(Object.values))}

Of the bounds the statement of the second one says: “${/It leaves out [^.]*/.exec(people.statement)![0]}.”

How densely the city is used, without noise:

${densityTable([
  ['all taps', city],
  ['taps that count where a card’s week is protected with Gaussian noise', people.partitions.map(({ exact }) => exact)],
])}`;
const isWhole = millions >= WRITTEN_FROM;
writePerformance({ people: performance }, {}, isWhole);
const measures = ['activities', 'core', 'counts', 'custodian', 'kinds', 'examples/people', 'bench/city-release'];
writeMeasured('utility', { city: utility }, { measures, isWhole });
