import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { type SmallSeries, smallKey, smallTrips } from '../support/small-series.ts';
import { weeks, writeWeeklySeries, writeWideSeries } from '../support/weekly-series.ts';
import type { Cluster } from './cluster.ts';
import type { DrillBench, Followed } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { SIDES } from './host.ts';
import { HOSTS } from './network.ts';

/** Partitions of a window of the wide series: seven days of four modes. */
export const PARTITIONS = 28;

/** What a size cost on the cluster. */
export type SizeRow = {
  what: string;
  partitions: number;
  seconds: number;
} & Partial<{
  /** Processor time of all workers for a partition, in milliseconds. */
  processorMs: number;
  /** Events of the longest history, and its bytes in thousands. */
  events: number;
  historyKB: number;
  /** Resident memory of the two workers of a side on one host with all their processes, the larger of both, in MiB. */
  privateMiB: number;
  publicMiB: number;
}>;

/** One release of very many partitions: `lines` lines on 25 days. */
const releaseOf =
  (lines: number): Drill =>
  async (bench) => {
    const { cluster } = bench;
    const days = 25;
    const modes = Array.from({ length: lines }, (_, line) => `line-${line + 1}`);
    const locations = modes.map((mode) => `    ${mode}: { dictionary: stops.csv }\n`).join('');
    const edit = (yaml: string) =>
      yaml
        .replace('window: { days: 3,', `window: { days: ${days},`)
        .replace('modes: [bus, ferry]', `modes: [${modes.join(', ')}]`)
        .replace(/ {4}bus: .*\n {4}ferry: .*\n/, locations);
    const name = `large-${lines}`;
    const series = await writeWeeklySeries(join(cluster.folder, name), { series: name, epsilon: '1' }, '', edit);
    const window = '2019-03-04';
    await deliver(cluster, [window], days, modes);
    const before = await costOf(cluster);
    const run = await startRelease(cluster.client, await planRun(cluster.client, series.file, window, 1));
    const followed = await bench.follow(run);
    const event = `${modes.length * days} partitions in one release`;
    await bench.row('size', event, [followed], before.at);
    await size(bench, event, modes.length * days, before, releaseWorkflowId(run));
  };

export const largeRelease = releaseOf(100);
export const largestRelease = releaseOf(240);

/** Processes that compute end after a minute without work. */
const IDLE_MS = 75_000;

/** A back-fill of `count` weekly windows of 28 partitions, four at once, from a Monday on. */
const backfillOf =
  (count: number, from: string): Drill =>
  async (bench) => {
    const windows = weeks(count, from);
    await applyWide(bench.cluster, windows);
    const before = await costOf(bench.cluster);
    const { id, follow } = await startWindows(bench, windows);
    const followed = await follow();
    const event = `back-fill of ${windows.length} windows`;
    await bench.row('size', event, followed, before.at);
    await size(bench, event, windows.length * PARTITIONS, before, backfillWorkflowId(id));
    await delay(IDLE_MS);
    await size(
      bench,
      `${event}, and a minute without work`,
      windows.length * PARTITIONS,
      before,
      backfillWorkflowId(id),
    );
  };

export const backfillWindows = backfillOf(26, '2011-01-03');
export const manyWindows = backfillOf(260, '2012-01-02');

/** The series of 28 partitions a week, with the trips of some windows. */
export async function applyWide(cluster: Cluster, windows: readonly string[]): Promise<SmallSeries> {
  const series = await writeWideSeries(join(cluster.folder, 'wide'), (yaml) =>
    yaml.replace('epsilon: 8\n', 'epsilon: 1\n'),
  );
  await deliver(cluster, windows, 7, ['bus', 'ferry', 'train', 'tram']);
  await applySeries(cluster.client, await loadSeriesFile(series.file));
  return series;
}

/** Starts a back-fill of that series, four at once. `follow`: all its releases to their publication. */
export async function startWindows(
  bench: DrillBench,
  windows: readonly string[],
): Promise<{ id: string; follow(): Promise<Followed[]> }> {
  const span = { from: windows[0]!, to: addDays(windows.at(-1)!, 6), atOnce: 4 };
  const plan = await planBackfill(bench.cluster.client, 'wide', span);
  const { seriesDigest } = plan.backfill;
  const id = await startBackfill(bench.cluster.client, plan);
  const follow = async () => {
    const followed: Followed[] = [];
    // A release that waits for people frees its place, so every one comes to its gate.
    for (const window of windows)
      followed.push(await bench.follow({ series: 'wide', window, version: 1, seriesDigest }));
    return followed;
  };
  return { id, follow };
}

async function deliver(
  { stores }: Cluster,
  windows: readonly string[],
  days: number,
  modes: readonly string[],
): Promise<void> {
  const source = stores.store('source', 'supplier', 'trips');
  for (const window of windows)
    for (let day = 0; day < days; day++) {
      const date = addDays(window, day);
      const put = (mode: string) => source.putIfAbsent(smallKey(date, mode), gzipSync(smallTrips(date, mode)));
      await Promise.all(modes.map(put));
    }
}

export async function size(
  bench: DrillBench,
  what: string,
  partitions: number,
  before: Awaited<ReturnType<typeof costOf>>,
  workflowId: string,
): Promise<void> {
  const after = await costOf(bench.cluster);
  const { raw } = await bench.cluster.client.temporal.workflow.getHandle(workflowId).describe();
  const info = raw.workflowExecutionInfo;
  bench.measured({
    what,
    partitions,
    seconds: Math.round((after.at - before.at) / 100) / 10,
    processorMs: Math.round((1000 * (after.processorSeconds - before.processorSeconds)) / partitions),
    events: Number(info?.historyLength ?? 0),
    historyKB: Math.round(Number(info?.historySizeBytes ?? 0) / 1000),
    privateMiB: after.residentMiB.private,
    publicMiB: after.residentMiB.public,
  });
}

/** Linux counts processor time in hundredths of a second, and memory in pages of 4 KiB. */
const TICKS = 100;
const PAGES_A_MIB = 256;

/** The processes of the groups of some others, those included: id, and the fields of Linux' stat from the third on. */
export async function processesOf(leaders: readonly (number | undefined)[]) {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    names.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // it may have ended
      // The second field is a name that may hold spaces.
      return { pid, fields: text.split(') ').at(-1)!.split(' ').map(Number) };
    }),
  );
  return all.filter(({ pid, fields }) => leaders.includes(Number(pid)) || leaders.includes(fields[2]));
}

/** What all workers have used until now, those of their processes included that have ended. */
export async function costOf({ hosts }: Cluster) {
  const workers = HOSTS.flatMap((name) => SIDES.map((side) => hosts[name].workers[side].pid));
  const processes = (await processesOf(workers)).map(({ fields }) => fields);
  const of = (pid: number | undefined) => processes.filter((fields) => fields[2] === pid);
  const all = HOSTS.flatMap((name) => SIDES.map((side) => ({ side, own: of(hosts[name].workers[side].pid) })));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const ticks = sum(all.flatMap(({ own }) => own.map((fields) => sum(fields.slice(11, 15)))));
  const largest = (side: string) =>
    Math.round(
      Math.max(...all.filter((one) => one.side === side).map(({ own }) => sum(own.map((fields) => fields[21]!)))) /
        PAGES_A_MIB,
    );
  return {
    at: performance.now(),
    processorSeconds: ticks / TICKS,
    residentMiB: { private: largest('private'), public: largest('public') },
  };
}
