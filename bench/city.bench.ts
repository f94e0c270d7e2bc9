import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePeople, PEOPLE_WEEK } from '../examples/people/generate-people.ts';
import { StageBench, sameNames } from '../kinds/taps/private/stages.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, numberGiven, used } from './measuring.ts';

/**
 * Ingest and bin of a generated city of people when trips are protected, and when the whole week of a card is: seconds,
 * ratios to trips, and the highest resident memory of the process. Run with `node bench/city.bench.ts [millions of
 * cards]`; a tenth of a million takes about half a minute, and five, a city of 57 million taps, which write their part of
 * docs/performance.md, ten minutes and 700 MB of disk. Target: ≤ 1.5 GB resident.
 */
const WHOLE = 5;
const millions = numberGiven(0, WHOLE);
const MAX_TAPS = 28;

const [routes, stations] = ['bus', 'stations'].map((name) =>
  readFileSync(new URL(`../examples/dictionaries/oyster-${name}.csv`, import.meta.url), 'utf8'),
);
const WEEK = {
  ...{ days: 7, firstWeekday: 'sunday', timeZone: 'Europe/London', day: { starts: '04:00', ends: '28:45' } },
  modes: ['bus', 'mixed', 'rail', 'tram', 'underground'],
  // One list for all: StageBench has one.
  dictionary: `${routes}${stations!.slice(stations!.indexOf('\n') + 1)}`,
  source: {
    ...{ format: 'parquet', pattern: '{date}/*.parquet', card: 'number', clock: 'local' },
    columns: {
      ...sameNames(['card', 'mode', 'on_minute', 'on_location', 'off_minute', 'off_location']),
      ...{ on_day: 'day', off_day: 'day' },
    },
  },
};

const UNITS = [
  { name: 'a trip', unit: 'trip' },
  { name: `a card’s week, k = ${MAX_TAPS}`, unit: 'card-window', maxTaps: MAX_TAPS },
];
const lines: string[][] = [];
let ofTrips: { seconds: number; processorSeconds: number } | null = null;
let last: StageBench | null = null;
for (const { name, ...unit } of UNITS) {
  const bench = await StageBench.open({ ...WEEK, ...unit }, PEOPLE_WEEK);
  bench.context.memoryMiB = 1024;
  const source = join(bench.root, 'source');
  if (last) {
    // The source folder of the new bench is empty, so the one with the city can take its place.
    await rename(join(last.root, 'source'), source);
    await last.close();
  } else await generatePeople(source, { cards: millions * 1_000_000, seed: 1 });
  const [use, faults] = await used(() => bench.count());
  if (faults.length > 0) throw new Error('an object is at fault, which would make the stages quick');
  ofTrips ??= use;
  const times = (of: 'seconds' | 'processorSeconds'): string => (use[of] / ofTrips![of]).toFixed(1);
  lines.push([
    ...[name, use.seconds.toFixed(1), times('seconds'), use.processorSeconds.toFixed(1), times('processorSeconds')],
    use.residentMiB.toFixed(0),
  ]);
  last = bench;
}
await last?.close();

const AGAINST = 'times trips';
const text = `Ingest and bin of the week of a generated city of ${millions} million cards, DuckDB limited to 1,024 MiB.

${markdownTable(['protects', 'seconds', AGAINST, 'processor seconds', AGAINST, 'highest resident memory, MiB'], lines)}`;
console.log(text);
if (millions === WHOLE) writePerformance({ city: text });
