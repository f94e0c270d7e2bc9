import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StageBench, sameNames } from '../kinds/taps/private/stages.fixture.ts';
import { bareGroupBy, type GroupByUse } from '../test/scale/group-by.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, used, type WorkUse } from './measuring.ts';

/**
 * Ingest and bin of the same trips under unit trip, card-day and card-window with k = 4, beside a bare DuckDB group-by
 * of the same files: seconds, ratios and the highest resident memory of the process. Run with
 * `node bench/bounding.bench.ts [millions of trips]`; three million take about half a minute, and thirty, which write
 * their part of docs/performance.md, three minutes. Target: card ≤ 6 × the group-by, ≤ 1.5 GB resident.
 */
const WHOLE = 30;
const millions = Number(process.argv[2] ?? WHOLE);
const TRIPS = millions * 1_000_000;
const DAYS = 14;
const MAX_TAPS = 4;
/** A card makes so many trips in the window. */
const TRIPS_PER_CARD = 10;

const dayOf = (index: number): string => `2026-03-${String(2 + index).padStart(2, '0')}`;

/** One day of trips between some hundred stops, most of them at the hours of the rush. */
const tripsOf = (index: number): string => {
  const [from, to] = [Math.floor((TRIPS * index) / DAYS), Math.floor((TRIPS * (index + 1)) / DAYS)];
  const minute = 'CAST((hash(i * 3) % 500 + hash(i * 5) % 700) AS INTEGER)';
  const at = (minutes: string): string => `TIMESTAMP '${dayOf(index)} 04:00:00' + to_minutes(${minutes})`;
  return `SELECT concat('card-', hash(i) % ${Math.ceil(TRIPS / TRIPS_PER_CARD)}) AS card, 'bus' AS mode,
    ${at(minute)} AS on_time, CAST(2000 + hash(i * 7) % 300 AS VARCHAR) AS on_stop,
    ${at(`${minute} + 17`)} AS off_time, CAST(2000 + hash(i * 11) % 300 AS VARCHAR) AS off_stop
    FROM range(${from}, ${to}) AS t(i)`;
};

const COLUMNS = {
  ...sameNames(['card', 'mode', 'on_time', 'off_time']),
  ...{ on_location: 'on_stop', off_location: 'off_stop' },
};

const openBench = async (unit: string): Promise<StageBench> => {
  const bench = await StageBench.open({
    unit,
    ...(unit.startsWith('card') && { maxTaps: MAX_TAPS }),
    days: DAYS,
    modes: ['bus'],
    source: { format: 'parquet', pattern: '{date}.parquet', columns: COLUMNS, card: 'text' },
  });
  bench.context.memoryMiB = 1024;
  return bench;
};

/** Both stages; a fault would make them quick. */
async function counted(bench: StageBench): Promise<void> {
  const faults = await bench.count();
  if (faults.length > 0) throw new Error(`${faults[0]!.object}: ${faults[0]!.code}`);
}

const trips = await openBench('trip');
for (let index = 0; index < DAYS; index++) await trips.deliverParquet(`${dayOf(index)}.parquet`, tripsOf(index));
/** Of each unit its use, and that of a group-by just before it. */
type Result = { unit: string; use: WorkUse; bare: GroupByUse };
async function resultOf(unit: string, bench: StageBench): Promise<Result> {
  const bare = await bareGroupBy(join(bench.root, 'source'));
  const [use] = await used(() => counted(bench));
  return { unit, bare, use };
}

const results = [await resultOf('trip', trips)];
let last = trips;
for (const unit of ['card-day', 'card-window']) {
  const bench = await openBench(unit);
  // The source folder of the new bench is empty, so the one with the trips can take its place.
  await rename(join(last.root, 'source'), join(bench.root, 'source'));
  await last.close();
  results.push(await resultOf(`${unit}, k = ${MAX_TAPS}`, bench));
  last = bench;
}
await last.close();

const HEAD = [
  'unit',
  'group-by just before, seconds',
  'seconds',
  'times the group-by',
  'processor seconds',
  'times the group-by',
  'highest resident memory, MiB',
];
const lines = results.map(({ unit, use, bare }) => {
  const { seconds, processorSeconds, residentMiB } = use;
  const ratios = [seconds / bare.seconds, processorSeconds, processorSeconds / bare.processorSeconds];
  const numbers = [bare.seconds, seconds, ...ratios].map((number) => number.toFixed(1));
  return [unit, ...numbers, residentMiB.toFixed(0)];
});
const text = `Ingest and bin of ${millions} million trips of ${Math.ceil(TRIPS / TRIPS_PER_CARD / 1e6)} million cards in ${DAYS} days, DuckDB limited to 1,024 MiB.

${markdownTable(HEAD, lines)}`;
console.log(text);
if (millions === WHOLE) {
  const times = ({ use, bare }: Result): string =>
    `${(use.processorSeconds / bare.processorSeconds).toFixed(1)} (${(use.seconds / bare.seconds).toFixed(1)})`;
  const [day, window] = results.slice(1).map(times);
  const mib = Math.max(...results.map(({ use }) => use.residentMiB)).toFixed(0);
  await writePerformance({ bounding: text }, { 'Cards a day': day!, 'Cards a window': window!, 'Memory, cards': mib });
}
