import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { differingOutputs, type Places } from '../support/release-checks.ts';
import { decideSmall } from '../support/releases.ts';
import { SMALL_MODES, type SmallSeries, smallKey, smallTrips } from '../support/small-series.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import type { Cluster } from './cluster.ts';
import { SIDES, type Side } from './host.ts';
import { HOSTS, type HostName } from './network.ts';
import { untilAnswered } from './postgres.ts';
import type { SizeRow } from './size-drills.ts';

/** What came of the releases that one event met. Everything but `releases`, `published` and the times is best at 0. */
export type DrillRow = {
  drill: string;
  /** What was done to the cluster, and when. */
  event: string;
  releases: number;
  published: number;
  /** Charges or publications that a release lacks in the ledger, and those that it has too many. */
  lost: number;
  doubled: number;
  /** Charges of other releases that no store had any more, and that people gave up; absent: none. */
  givenUp?: number;
  /** Published files that differ from those derived again, without faults, from the same draws. */
  differing: number;
  /** Files below the scratch folders of both hosts, when all workers had been ready again for half a minute at most. */
  raw: number;
  /** Files and folders there that somebody else than their owner could read at any moment. */
  readable: number;
  /** How often a person had to act before a release went on. */
  persons: number;
  /** Longest time from the end of the event to the publication, in seconds. */
  seconds: number;
};

/** Every release became public, once and whole, without a person, and nothing raw was left or seen. */
export const isUnharmed = (row: DrillRow): boolean =>
  row.published === row.releases &&
  [row.lost, row.doubled, row.differing, row.raw, row.readable, row.persons].every((count) => count === 0);

/** A release that has ended, and how often a person had to act. */
export type Followed = { run: Run; status: ReleaseStatus; persons: number };

/** A release of thousands of partitions takes that long on a busy machine. */
const LONGEST_MS = 2_700_000;
/** Pause between two looks at the modes of scratch. */
const LOOK_MS = 100;
/** Copies of a release go within this time of its count (docs/operations.md), with some room. */
const SWEPT_MS = 40_000;

/** Releases of one weekly series of six partitions on a running cluster, a window each, and what is checked of all. */
export class DrillBench {
  readonly cluster: Cluster;
  readonly series: SmallSeries;
  readonly #readable = new Set<string>();
  /** First day of the window that is released next. */
  readonly #windows: { next: string };

  readonly #tell: (row: DrillRow | SizeRow) => void;

  private constructor(
    cluster: Cluster,
    series: SmallSeries,
    tell: (row: DrillRow | SizeRow) => void,
    windows = { next: '2020-01-06' },
  ) {
    this.cluster = cluster;
    this.#windows = windows;
    this.series = series;
    this.#tell = tell;
    void this.#lookAtModes();
  }

  /** `tell` hears each row as soon as it is complete. */
  static async open(cluster: Cluster, tell: (row: DrillRow | SizeRow) => void): Promise<DrillBench> {
    const series = await writeWeeklySeries(join(cluster.folder, 'small'), { epsilon: '4' });
    return new DrillBench(cluster, series, tell);
  }

  /** The same on a cluster of which something is another: its client, its stores and hosts; by another series file. */
  through(other: Partial<Cluster>, series = this.series): DrillBench {
    return new DrillBench({ ...this.cluster, ...other }, series, this.#tell, this.#windows);
  }

  get nextWindow(): string {
    return this.#windows.next;
  }

  /** Starts the release of the next window, whose trips are delivered, by the series file of the bench or another. */
  async start(file = this.series.file): Promise<Run> {
    const window = this.#windows.next;
    this.#windows.next = addDays(window, 7);
    const source = this.cluster.stores.store('source', 'supplier', 'trips');
    for (let day = 0; day < 3; day++)
      for (const mode of SMALL_MODES) {
        const date = addDays(window, day);
        await source.putIfAbsent(smallKey(date, mode), gzipSync(smallTrips(date, mode)));
      }
    const plan = await planRun(this.cluster.client, file, window, 1);
    return startRelease(this.cluster.client, plan);
  }

  /** Waits until a release is in one of the states, whatever does not answer meanwhile. */
  async reaches(run: ReleaseReference, states: readonly ReleaseStatus['state'][]): Promise<ReleaseStatus> {
    for (const began = Date.now(); Date.now() - began < LONGEST_MS; await delay(100)) {
      const status = await this.#patiently(() => this.cluster.client.status(run));
      if (status && states.includes(status.state)) return status;
    }
    throw new Error(`${releasePath(run)} is not in ${states.join()} in time`);
  }

  /** Approves a release at its gate; one that somebody has approved meanwhile goes on. */
  async approve(run: Run): Promise<void> {
    const after = ['approved-waiting', 'publishing', 'stalled', 'ending-stalled', 'published', 'failed'] as const;
    const { state, attention } = await this.reaches(run, ['waiting', ...after]);
    if (state !== 'waiting') return;
    await decideSmall(this.cluster.client, this.series, run, 'approve', attention);
  }

  /** A release to its end, as patient people carry it: what needs them is counted, and then done. */
  async follow(run: Run): Promise<Followed> {
    const { client } = this.cluster;
    let persons = 0;
    for (const began = Date.now(); Date.now() - began < LONGEST_MS; await delay(100)) {
      const status = await this.#patiently(() => client.status(run));
      if (!status) continue;
      if (status.state === 'published' || status.state === 'failed') return { run, status, persons };
      if (status.state === 'waiting') await this.#patiently(() => this.approve(run));
      const request = { subject: 'drill' };
      const ask =
        status.state === 'partitions-failed'
          ? () => client.ask(run, 'retryPartitions', { ...request, partitions: [] })
          : status.stall
            ? () => client.ask(run, 'retryStage', request)
            : null;
      if (ask && (await this.#patiently(ask))) persons += 1;
    }
    throw new Error(`${releasePath(run)} has not ended in time`);
  }

  /** The host on which an activity of a release runs now; null when none does. */
  async hostOf(run: Run, activity: string): Promise<HostName | null> {
    const handle = this.cluster.client.temporal.workflow.getHandle(releaseWorkflowId(run));
    // A server that has just begun may not know its own services yet.
    const { raw } = await untilAnswered(() => handle.describe());
    const running = raw.pendingActivities?.find(
      ({ activityType, lastStartedTime }) => activityType?.name === activity && lastStartedTime != null,
    );
    // Temporal names a worker PID@machine.
    const pid = Number(running?.lastWorkerIdentity?.split('@')[0]);
    const { hosts } = this.cluster;
    return HOSTS.find((name) => SIDES.some((side) => hosts[name].workers[side].pid === pid)) ?? null;
  }

  /** The attempts of an activity that began: the process of the worker, and whether it came to an end. */
  async attempts(run: Run, activity: string): Promise<{ pid: number; ended: boolean }[]> {
    const handle = this.cluster.client.temporal.workflow.getHandle(releaseWorkflowId(run));
    const { events } = await untilAnswered(() => handle.fetchHistory());
    const all = events ?? [];
    const scheduled = new Set(
      all.flatMap(({ eventId, activityTaskScheduledEventAttributes: one }) =>
        one?.activityType?.name === activity ? String(eventId) : [],
      ),
    );
    const done = new Set(all.map(({ activityTaskCompletedEventAttributes: one }) => String(one?.startedEventId)));
    return all.flatMap(({ eventId, activityTaskStartedEventAttributes: one }) =>
      one && scheduled.has(String(one.scheduledEventId))
        ? { pid: Number(one.identity?.split('@')[0]), ended: done.has(String(eventId)) }
        : [],
    );
  }

  /** Waits until every worker says that it can work. */
  async allReady(): Promise<void> {
    const all = HOSTS.flatMap((name) => SIDES.map((side) => this.cluster.hosts[name].observe[side].health));
    await Promise.all(
      all.map((health) =>
        untilAnswered(async () => {
          if (!(await fetch(`http://${health}/readyz`)).ok) throw new Error(`${health} is not ready`);
        }, 180),
      ),
    );
  }

  /** Kills both workers of a host with all that they started. They are started again. */
  killHost(name: HostName): void {
    for (const side of SIDES) this.cluster.hosts[name].workers[side].kill();
  }

  /** Hands on what a size cost. */
  measured(row: SizeRow): void {
    this.#tell(row);
  }

  /** Looks at all that these releases left. `since`: when the event was over, as `performance.now()` says. */
  async row(drill: string, event: string, followed: readonly Followed[], since: number, givenUp = 0): Promise<void> {
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    const places: Places = {
      release: this.cluster.client.releaseStore,
      publication: this.cluster.stores.store('publication'),
      population: 'small-riders',
    };
    const { entries } = await readLedger(places.release, places.population);
    let [lost, doubled, differing] = [0, 0, 0];
    for (const { run, status } of followed) {
      const kinds = entries.flatMap((entry) =>
        'release' in entry && entry.release === releasePath(run) ? entry.kind : [],
      );
      for (const kind of ['reserve', 'commit']) if (!kinds.some((one) => one === kind)) lost += 1;
      doubled +=
        kinds.length - new Set(kinds).size + kinds.filter((kind) => !['reserve', 'commit'].includes(kind)).length;
      if (status.state === 'published') differing += (await differingOutputs(places, run)).length;
    }
    await this.allReady();
    const raw = (await this.#leftovers()).length;
    const readable = this.#readable.size;
    this.#readable.clear();
    const published = followed.filter(({ status }) => status.state === 'published').length;
    const persons = followed.reduce((sum, one) => sum + one.persons, 0);
    const counts = { releases: followed.length, published, lost, doubled, differing, raw, readable, persons, seconds };
    this.#tell({ drill, event, ...counts, ...(givenUp > 0 && { givenUp }) });
  }

  /** What is still there when copies should be gone. */
  async #leftovers(): Promise<string[]> {
    const all = HOSTS.flatMap((name) => SIDES.map((side: Side) => this.cluster.hosts[name].files.scratch(side)));
    for (const began = Date.now(); ; await delay(500)) {
      const left = (await Promise.all(all.map(filesBelow))).flat().filter(({ isFile }) => isFile);
      if (left.length === 0 || Date.now() - began > SWEPT_MS) return left.map(({ path }) => path);
    }
  }

  /** For ever; a look at thousands of copies takes longer than the pause. */
  async #lookAtModes(): Promise<void> {
    for (;;) {
      for (const name of HOSTS)
        for (const { path, mode } of await filesBelow(this.cluster.hosts[name].files.scratch('private')))
          if (mode & 0o077) this.#readable.add(path);
      await delay(LOOK_MS, undefined, { ref: false });
    }
  }

  /** The answer, or null when there is none now. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OpalineError)) throw error;
      return null;
    }
  }
}

async function filesBelow(folder: string) {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const all = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => null);
      return facts && { path, isFile: facts.isFile(), mode: facts.mode };
    }),
  );
  return all.filter((one) => one !== null);
}
