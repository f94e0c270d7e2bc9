import { join } from 'node:path';
import { addDays } from '../core/calendar/civil-day.ts';
import { StageBench, sameNames } from '../kinds/taps/private/stages.fixture.ts';
import { bareGroupBy } from '../test/scale/group-by.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, measure, numberGiven } from './measuring.ts';

/**
 * Ingest and bin of the same trips under unit trip, card-day and card-window with k = 4, the last one with the two more
 * bounds of people too, beside a bare DuckDB group-by of the same files: seconds, ratios and the highest resident memory
 * of the process. Run with `node bench/bounding.bench.ts [millions of trips]`; three million take about half a minute,
 * and thirty, which write their part of docs/performance.md, four minutes. Target: card ≤ 6 × the group-by, people no
 * slower than cards, ≤ 1.5 GB resident.
 */
const WHOLE = 30;
const millions = numberGiven(0, WHOLE);
const TRIPS = millions * 1_000_000;
const DAYS = 14;
const MAX_TAPS = 4;
/** Trips of a card in the window. */
const TRIPS_PER_CARD = 10;
const CARDS = Math.ceil(TRIPS / TRIPS_PER_CARD);

/** One day of trips between some hundred stops, most of them at the hours of the rush. */
const tripsOf = (day: string, from: number, to: number): string => {
  const minute = 'CAST((hash(i * 3) % 500 + hash(i * 5) % 700) AS INTEGER)';
  const at = (minutes: string): string => `TIMESTAMP '${day} 04:00:00' + to_minutes(${minutes})`;
  return `SELECT concat('card-', hash(i) % ${CARDS}) AS card, 'bus' AS mode,
    ${at(minute)} AS on_time, CAST(2000 + hash(i * 7) % 300 AS VARCHAR) AS on_stop,
    ${at(`${minute} + 17`)} AS off_time, CAST(2000 + hash(i * 11) % 300 AS VARCHAR) AS off_stop
    FROM range(${from}, ${to}) AS t(i)`;
};

const COLUMNS = {
  ...sameNames(['card', 'mode', 'on_time', 'off_time']),
  on_location: 'on_stop',
  off_location: 'off_stop',
};

const WINDOW = { unit: 'card-window', maxTaps: MAX_TAPS };
const PEOPLE = { mechanism: 'discrete-gaussian', place: 2, neighbours: 'add-remove', split: { cells: '1' } };
const UNITS = [
  { name: 'trip', change: { unit: 'trip' } },
  { name: `card-day, k = ${MAX_TAPS}`, change: { unit: 'card-day', maxTaps: MAX_TAPS }, aim: 'Cards a day' },
  { name: `card-window, k = ${MAX_TAPS}`, change: WINDOW, aim: 'Cards a window' },
  { name: `the same, one in a bin and ${PEOPLE.place} at a place`, change: { ...WINDOW, privacy: PEOPLE } },
];
const AGAINST = 'times the group-by';
const lines: string[][] = [];
const figures: Record<string, string> = {};
let memory = 0;
let last: StageBench | null = null;
for (const { name, change, aim } of UNITS) {
  const source = { format: 'parquet', pattern: '{date}.parquet', columns: COLUMNS, card: 'text' };
  const bench = await StageBench.open({ ...change, days: DAYS, modes: ['bus'], source }, undefined, last);
  bench.context.memoryMiB = 1024;
  if (!last)
    for (let index = 0; index < DAYS; index++) {
      const day = addDays('2026-03-02', index);
      const [from, to] = [index, index + 1].map((one) => Math.floor((one * TRIPS) / DAYS)) as [number, number];
      await bench.deliverParquet(`${day}.parquet`, tripsOf(day, from, to));
    }
  const bare = await bareGroupBy(join(bench.root, 'source'));
  const [use, faults] = await measure(() => bench.count());
  if (faults.length > 0) throw new Error('an object is at fault, which would make the stages quick');
  const [clock, processor] = (['seconds', 'processorSeconds'] as const).map((unit) => {
    return [use[unit].toFixed(1), (use[unit] / bare[unit]).toFixed(1)] as const;
  });
  lines.push([name, bare.seconds.toFixed(1), ...clock!, ...processor!, use.residentMiB.toFixed(0)]);
  memory = Math.max(memory, use.residentMiB);
  if (aim) figures[aim] = `${processor![1]} (${clock![1]})`;
  last = bench;
}
await last?.close();

const times = ['group-by just before, seconds', 'seconds', AGAINST, 'processor seconds', AGAINST];
const text = `Ingest and bin of ${millions} million trips of ${Math.ceil(CARDS / 1e6)} million cards in ${DAYS} days, DuckDB limited to 1,024 MiB.

${markdownTable(['unit', ...times, 'highest resident memory, MiB'], lines)}`;
writePerformance({ bounding: text }, { ...figures, 'Memory, cards': memory.toFixed(0) }, millions === WHOLE);
