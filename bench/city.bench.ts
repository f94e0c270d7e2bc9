import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePeople, PEOPLE_WEEK } from '../examples/people/generate-people.ts';
import { StageBench, sameNames } from '../kinds/taps/private/stages.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, medianOf, numberGiven, used, type WorkUse } from './measuring.ts';

/**
 * Ingest and bin of a generated city when trips are protected, when k taps of the week of a card count, and when the two
 * more bounds of people hold: in turn, in rounds, with the highest resident memory of the process. Run with
 * `node bench/city.bench.ts [millions of cards] [rounds]`; five, a city of 57 million taps, three times, write their part
 * of docs/performance.md. Targets: ≤ 1,500 MiB resident, and people no slower than cards.
 */
const [WHOLE, ROUNDS] = [5, 3];
const millions = numberGiven(0, WHOLE);
const rounds = numberGiven(1, ROUNDS);
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

const CARD = { unit: 'card-window', maxTaps: MAX_TAPS };
const PEOPLE = { mechanism: 'discrete-gaussian', place: 2, neighbours: 'add-remove', split: { cells: '1' } };
const UNITS = [
  { name: 'a trip', change: { unit: 'trip' } },
  { name: `a card’s week, k = ${MAX_TAPS}`, change: CARD },
  { name: `the same for people, one in a bin and ${PEOPLE.place} at a place`, change: { ...CARD, privacy: PEOPLE } },
];
const uses: WorkUse[][] = UNITS.map(() => []);
let last: StageBench | null = null;
for (let round = 0; round < rounds; round++)
  for (const [at, { change }] of UNITS.entries()) {
    const bench = await StageBench.open({ ...WEEK, ...change }, PEOPLE_WEEK, last);
    bench.context.memoryMiB = 1024;
    if (!last) await generatePeople(join(bench.root, 'source'), { cards: millions * 1_000_000, seed: 1 });
    const [use, faults] = await used(() => bench.count());
    if (faults.length > 0) throw new Error('an object is at fault, which would make the stages quick');
    console.log(UNITS[at]!.name, use);
    uses[at]!.push(use);
    last = bench;
  }
await last?.close();

const TIMES = ['seconds', 'processorSeconds'] as const;
/** The median over rounds of what one costs in parts of another in the same round. */
const ratio = (of: (typeof TIMES)[number], one: number, other: number): string =>
  medianOf(uses[one]!.map((use, round) => use[of] / uses[other]![round]![of])).toFixed(2);
const lines = UNITS.map(({ name }, at) => [
  name,
  ...TIMES.flatMap((of) => [medianOf(uses[at]!.map((use) => use[of])).toFixed(1), ratio(of, at, 0)]),
  Math.max(...uses[at]!.map(({ residentMiB }) => residentMiB)).toFixed(0),
]);

const AGAINST = 'times trips';
const text = `Ingest and bin of the week of a generated city of ${millions} million cards, DuckDB limited to 1,024 MiB; medians of ${rounds} in turn.

${markdownTable(['protects', 'seconds', AGAINST, 'processor seconds', AGAINST, 'highest resident memory, MiB'], lines)}

For people it takes ${ratio('processorSeconds', 2, 1)} times the processor time of cards, and ${ratio('seconds', 2, 1)} times that of the clock.`;
writePerformance({ city: text }, {}, millions === WHOLE && rounds === ROUNDS);
