import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import type { VerificationReport } from '../../client/verify/verification-report.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { releasePath, releaseWorkflowId, type Stage } from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { decideSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallSeries } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { bareGroupBy, type GroupByUse } from './group-by.fixture.ts';
import { blocksOf, type StageUse, watchStages } from './stage-watch.fixture.ts';

/**
 * A fortnight of the size of the release of 2017: four modes and 694 places, so a public domain of 1.87 million cells,
 * and as many invented trips as are asked for. Nothing in it is anybody's trip.
 */
export const FORTNIGHT = '2016-07-25';
const DAYS = 14;
/** Places of each mode, and the part of all trips, in thousandths, up to which a trip is of the mode. */
const MODES = {
  bus: { places: 340, upTo: 382 },
  ferry: { places: 40, upTo: 402 },
  lightrail: { places: 14, upTo: 416 },
  train: { places: 300, upTo: 1000 },
};

const placeName = (mode: string, place: number | string): string => `${mode}-${place}`;

/** Shares of ε for the noisy margins. */
const SPLIT = '{ time: 0.3, location: 0.5 }';

/** Writes the series file and its dictionaries below a folder. */
export async function writeFortnightSeries(folder: string, pattern = '{date}.parquet'): Promise<SmallSeries> {
  await mkdir(folder, { recursive: true });
  for (const [mode, { places }] of Object.entries(MODES)) {
    const names = Array.from({ length: places }, (_, place) => placeName(mode, place));
    await writeFile(join(folder, `${mode}.csv`), `location\n${names.join('\n')}\n`);
  }
  const locations = Object.keys(MODES).map((mode) => `    ${mode}: { dictionary: ${mode}.csv }\n`);
  return writeSmallSeries(folder, { series: 'fortnight' }, (yaml) =>
    yaml
      .replace('"{date}/{mode}.csv.gz"', `"${pattern}"`)
      .replace('format: csv\n  compression: gzip', 'format: parquet')
      .replace('window: { days: 3, firstWeekday: monday }', `window: { days: ${DAYS}, firstWeekday: monday }`)
      .replace(/ {4}bus: .*\n {4}ferry: .*\n/, locations.join(''))
      .replace('modes: [bus, ferry]', `modes: [${Object.keys(MODES).join(', ')}]`)
      .replace('  delta: 1e-6\n', `  delta: 1e-6\n  split: ${SPLIT}\n`),
  );
}

/** One day: most trips at the two rushes, few places with most of the trips, three in a hundred without an end. */
function dayOfTrips(day: string, from: number, to: number): string {
  const draw = (salt: number, n: number): string => `CAST(hash(i * 32 + ${salt}) % ${n} AS INTEGER)`;
  const minute = `(${draw(1, 600)} + ${draw(2, 660)})`;
  const modes = Object.entries(MODES);
  const mode = `CASE ${modes.map(([name, { upTo }]) => `WHEN share < ${upTo} THEN '${name}'`).join(' ')} END`;
  const places = `CASE ${modes.map(([, { places: n, upTo }]) => `WHEN share < ${upTo} THEN ${n}`).join(' ')} END`;
  const place = (salt: number): string =>
    `concat(mode, '-', CAST(floor(places * pow(${draw(salt, 1_000_000)} / 1000000, 3)) AS INTEGER))`;
  return `SELECT mode, on_time, ${place(3)} AS on_stop,
      CASE WHEN has_end THEN on_time + to_seconds(240 + ${draw(4, 2400)}) END AS off_time,
      CASE WHEN has_end THEN ${place(5)} END AS off_stop
    FROM (SELECT *, ${mode} AS mode, ${places} AS places FROM (
      SELECT i, ${draw(6, 1000)} AS share, ${draw(7, 100)} >= 3 AS has_end,
        TIMESTAMP '${day} 04:30:00' + to_seconds(${minute} * 60 + ${draw(8, 60)}) AS on_time
      FROM range(${from}, ${to}) AS t(i)))`;
}

/** Writes `{date}.parquet` for each day of the window below the folder. */
export const writeFortnightTrips = (source: string, trips: number): Promise<void> =>
  withWriter(source, async (write) => {
    for (let index = 0; index < DAYS; index += 1)
      await write(addDays(FORTNIGHT, index), dayOfTrips(addDays(FORTNIGHT, index), ...share(trips, index, DAYS)));
  });

/** Of a file of many trips this number is invented; the others are the same a minute later, two minutes, and so on. */
const INVENTED = 3_000_000;

/** Writes the trips of the window as `files` files of any name, which may have any of its days. */
export const writeTripFiles = (source: string, trips: number, files: number): Promise<void> =>
  withWriter(source, async (write, run) => {
    const invented = Math.min(trips, INVENTED);
    const days = Array.from({ length: DAYS }, (_, index) =>
      dayOfTrips(addDays(FORTNIGHT, index), ...share(invented, index, DAYS)),
    );
    await run(`CREATE TABLE invented AS ${days.join(' UNION ALL ')}`);
    const later = ['on', 'off'].map((end) => `${end}_time + to_minutes(k) AS ${end}_time, ${end}_stop`).join(', ');
    const copies = `SELECT mode, ${later} FROM invented, range(${Math.round(trips / invented)}) AS t(k)`;
    for (let file = 0; file < files; file += 1) {
      const [from, to] = share(invented, file, files);
      await write(`part-${file}`, `${copies} WHERE invented.rowid BETWEEN ${from} AND ${to - 1}`);
    }
  });

const share = (trips: number, part: number, parts: number): [from: number, to: number] => [
  Math.floor((trips * part) / parts),
  Math.floor((trips * (part + 1)) / parts),
];

type Write = (name: string, rows: string) => Promise<unknown>;

/** Work that writes Parquet files of a folder from queries of a database of its own. */
async function withWriter(
  source: string,
  work: (write: Write, run: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await mkdir(source, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GiB', preserve_insertion_order: 'false' });
  try {
    const connection = await instance.connect();
    const run = (sql: string) => connection.run(sql);
    await work((name, rows) => run(`COPY (${rows}) TO '${join(source, name)}.parquet' (FORMAT parquet)`), run);
  } finally {
    instance.closeSync();
  }
}

export type FortnightRun = {
  /** Of the same files, just before the release. */
  groupBy: GroupByUse;
  uses: Map<Stage, StageUse>;
  /** Blocks of the serving event loops above 200 ms. */
  blocks: number[];
  /** The history of the release at its gate: events, and bytes with all payloads. */
  history: { events: number; bytes: number };
  published: ReleaseStatus;
  verification: VerificationReport;
  verifySeconds: number;
};

export type FortnightChoices = {
  disturb?: (stack: TestStack, status: ReleaseStatus) => Promise<void>;
};

/**
 * Releases a fortnight of `trips` trips on a stack of its own, from the source to a verified publication. `disturb`
 * learns of each status, to kill what it likes.
 */
export async function releaseFortnight(trips: number, { disturb }: FortnightChoices = {}): Promise<FortnightRun> {
  const stack = await startTestStack();
  try {
    const series = await writeFortnightSeries(join(stack.root, 'fortnight'));
    await writeFortnightTrips(stack.source, trips);
    const groupBy = await bareGroupBy(stack.source);
    const run = await startRelease(stack.client, await planRun(stack.client, series.file, FORTNIGHT, 1));
    const asked = async (): Promise<ReleaseStatus> => {
      const status = await patient(() => stack.client.status(run));
      await disturb?.(stack, status);
      return status;
    };
    const { status, uses } = await watchStages(stack, asked, ({ state }) => AT_REST.includes(state));
    if (status.state !== 'waiting') throw new Error(`it did not reach its gate: ${JSON.stringify(status)}`);
    const { historyLength, historySize = Infinity } = await stack.client.temporal.workflow
      .getHandle(releaseWorkflowId(run))
      .describe();
    await decideSmall(stack.client, series, run, 'approve');
    const published = await reaches(stack.client, run, ['published', 'failed'], 600);
    const publication = join(stack.files.publication, releasePath(run));
    const begin = performance.now();
    const verification = await verifyPublication(publication);
    const verifySeconds = (performance.now() - begin) / 1000;
    const history = { events: historyLength, bytes: historySize };
    return { groupBy, uses, blocks: await blocksOf(stack), history, published, verification, verifySeconds };
  } finally {
    await stack.end();
  }
}

const AT_REST: readonly ReleaseState[] = ['waiting', 'failed', 'partitions-failed', 'cancelled'];

/** Asks again for a minute: a worker that was killed answers when it has been started again. */
async function patient<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 60) throw error;
      await delay(1000);
    }
  }
}
