import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { medianOf } from '../../bench/measuring.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import { weeks } from '../support/weekly-series.ts';
import type { Followed } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { type Host, SIDES } from './host.ts';
import { applyWide, costOf, PARTITIONS, processesOf, size, startWindows } from './size-drills.ts';

/** Windows of a back-fill whose speed is measured, and of one beside which other releases are. */
const WINDOWS = 13;
const BESIDE = 39;
/** Releases whose median time to the gate is taken, after one that is not counted: it waits for processes to start. */
const RELEASES = 9;
/** A back-fill is at full speed after so long. */
const UNDER_WAY_MS = 15_000;

/** The same back-fill by two hosts and by one, each with a third of a core: the rest of the cluster then has enough. */
export const sharedWork: Drill = async (bench) => {
  const { cluster } = bench;
  const { a, b } = cluster.hosts;
  const windows = weeks(3 * WINDOWS, '2005-01-03');
  await applyWide(cluster, windows);
  const began = performance.now();
  const followed: Followed[] = [];
  const backfill = async (): Promise<string> => {
    const { id, follow } = await startWindows(bench, windows.splice(0, WINDOWS));
    followed.push(...(await follow()));
    return id;
  };
  const measured = async (hosts: string, shorter?: number): Promise<number> => {
    const before = await costOf(cluster);
    const id = await backfill();
    const seconds = (performance.now() - before.at) / 1000;
    const what = `${WINDOWS} windows by ${hosts}${timesAsLong(seconds, shorter)}`;
    await size(bench, what, WINDOWS * PARTITIONS, before, backfillWorkflowId(id));
    return seconds;
  };

  const lifts = await Promise.all([a, b].map((host) => group(host.name, workersOf(host), 1 / 3)));
  await backfill(); // every process that computes is up before anything is measured
  const byTwo = await measured(lifts[0] ? 'two hosts with a third of a core each' : 'two hosts');
  await Promise.all(SIDES.map((side) => b.workers[side].takeAway()));
  await measured('one of them', byTwo);
  await Promise.all(SIDES.map((side) => b.workers[side].start()));
  await bench.allReady();
  for (const lift of lifts) await lift?.();
  await bench.row('fair work', 'back-fills by two hosts and by one', followed, began);
};

/**
 * Releases alone, and beside a back-fill. The whole cluster is in one group: Linux may count niceness within a session
 * alone, and each worker of the harness has one.
 */
export const fairWork: Drill = async (bench) => {
  const { cluster } = bench;
  const windows = weeks(BESIDE + 2 * (RELEASES + 1), '2007-01-01');
  const { file } = await applyWide(cluster, windows);
  const began = performance.now();
  const followed: Followed[] = [];
  const gate = async (where: string, shorter?: number): Promise<number> => {
    const all: number[] = [];
    for (const window of windows.splice(0, RELEASES + 1)) {
      const from = performance.now();
      const run = await startRelease(cluster.client, await planRun(cluster.client, file, window, 1));
      await bench.reaches(run, ['waiting']);
      all.push((performance.now() - from) / 1000);
      followed.push(await bench.follow(run));
    }
    const seconds = medianOf(all.slice(1));
    const what = `a release to its gate, ${where}${timesAsLong(seconds, shorter)}`;
    bench.measured({ what, partitions: PARTITIONS, seconds: Math.round(10 * seconds) / 10 });
    return seconds;
  };

  const { stores, postgres, temporal, hosts } = cluster;
  const parts = [stores.part, postgres.part, ...Object.values(temporal.parts)].map(({ pid }) => pid);
  const lift = await group('all', [process.pid, ...parts, ...workersOf(hosts.a), ...workersOf(hosts.b)]);
  const alone = await gate('alone');
  const { follow } = await startWindows(bench, windows.splice(0, BESIDE));
  await delay(UNDER_WAY_MS);
  await gate('beside a back-fill', alone);
  followed.push(...(await follow()));
  await lift?.();
  await bench.row('fair work', 'releases alone, and beside a back-fill', followed, began);
};

const workersOf = (host: Host) => SIDES.map((side) => host.workers[side].pid);

const timesAsLong = (seconds: number, shorter: number | undefined) =>
  shorter === undefined ? '' : `: ${(seconds / shorter).toFixed(2)} times as long`;

/** The control groups of Linux, version 1, for processor time. */
const GROUPS = '/sys/fs/cgroup/cpu';

/**
 * Puts processes, with all those of their process groups, into a control group of their own, with a share of a core where
 * that is given. Null where this machine does not allow it; otherwise what takes it back.
 */
async function group(
  name: string,
  leaders: readonly (number | undefined)[],
  share?: number,
): Promise<(() => Promise<void>) | null> {
  const folder = `${GROUPS}/opaline-${process.pid}-${name}`;
  try {
    await mkdir(folder);
  } catch {
    return null;
  }
  const period = Number(await readFile(`${folder}/cpu.cfs_period_us`, 'utf8'));
  if (share) await writeFile(`${folder}/cpu.cfs_quota_us`, String(Math.round(period * share)));
  const move = async (to: string, pids: readonly string[]) => {
    for (const pid of pids) await writeFile(`${to}/cgroup.procs`, pid).catch(() => {}); // it may have ended
  };
  const own = await processesOf(leaders);
  await move(
    folder,
    own.map(({ pid }) => pid),
  );
  return async () => {
    await move(GROUPS, (await readFile(`${folder}/cgroup.procs`, 'utf8')).split('\n').filter(Boolean));
    await rmdir(folder);
  };
}
