import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Run } from '../../contracts/stages.ts';
import { twoCustodians } from './custodian-drill.ts';
import { droppedDatabase, newestServer, restoredDatabase, splitBrain } from './database-drills.ts';
import type { DrillBench, Followed } from './drill-bench.ts';
import { HOSTS, type HostName } from './network.ts';
import type { Part } from './part.ts';
import { rotateKeys } from './rotation-drill.ts';
import { fairWork, sharedWork } from './sharing-drill.ts';
import { backfillWindows, largeRelease, largestRelease, manyWindows } from './size-drills.ts';
import { lostStores } from './store-drills.ts';
import { SERVICES } from './temporal-services.ts';

const run = promisify(execFile);

/** A drill on a running cluster, which it leaves whole; it makes a row of each event. */
export type Drill = (bench: DrillBench) => Promise<void>;

/** The activities of a release before and after its gate. */
const BEFORE_GATE = ['ingest', 'reserve', 'bin', 'privatize', 'shadow', 'derive', 'audit'];
const AFTER_GATE = ['publish', 'commit', 'updatePages'];

/** A stage takes some milliseconds: a kill that came too late has another release. */
const TRIES = 8;

/** Whose power fails: of the host that runs a stage of one release, and of the one that does not run that of another. */
const VICTIMS = ['the host that runs it', 'the other host'] as const;

/** SIGKILL of the host that runs a stage, and of the other one, in every stage; both are killed in the same minute. */
const killHosts: Drill = async (bench) => {
  for (const stage of [...BEFORE_GATE, 'gate', ...AFTER_GATE]) {
    const followed: Followed[] = [];
    let since = 0;
    let missed: readonly (typeof VICTIMS)[number][] = VICTIMS;
    for (let tries = 0; tries < TRIES && missed.length > 0; tries++) {
      const tried = await Promise.all(
        missed.map(async (victim) => {
          const run = await bench.start();
          const host = await seenIn(bench, run, stage);
          if (host) bench.killHost(victim === VICTIMS[0] ? host : HOSTS.find((name) => name !== host)!);
          return { run, missed: host ? [] : [victim] };
        }),
      );
      since = performance.now();
      missed = tried.flatMap((one) => one.missed);
      followed.push(...(await Promise.all(tried.map(({ run }) => bench.follow(run)))));
      await bench.allReady();
    }
    const hit = VICTIMS.filter((victim) => !missed.includes(victim));
    await bench.row('SIGKILL of a host', `${stage}: ${hit.join(', and ') || 'never hit'}`, followed, since);
  }
};

/** Waits until an activity of a release runs, and gives its host; null when nobody saw it run. */
export async function seenIn(bench: DrillBench, run: Run, stage: string): Promise<HostName | null> {
  const isAfter = AFTER_GATE.includes(stage);
  const stops = isAfter ? (['published', 'failed'] as const) : (['waiting', 'failed', 'partitions-failed'] as const);
  if (stage === 'gate') {
    await bench.reaches(run, ['waiting']);
    return 'a';
  }
  if (isAfter) void bench.approve(run).catch(() => {});
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  // It goes on when the stage was seen, and the drill takes away what it asks.
  void bench.reaches(run, stops).then(stop, stop);
  while (!stopped) {
    const host = await bench.hostOf(run, stage);
    if (host) return host;
  }
  return null;
}

/** Something is away, while one release is being published, one is under way, and one is about to start. */
async function outage(
  bench: DrillBench,
  event: string,
  seconds: number,
  change: { away: () => Promise<void>; back: () => Promise<void> },
): Promise<void> {
  const gate = await bench.start();
  await bench.reaches(gate, ['waiting']);
  const next = await bench.start();
  const last = await bench.start();
  void bench.approve(gate).catch(() => {});
  await delay(150);
  await change.away();
  await delay(1000 * seconds);
  await change.back();
  const since = performance.now();
  const followed = await Promise.all([gate, next, last].map((run) => bench.follow(run)));
  await bench.row('outage', `${event}, ${seconds} s`, followed, since);
}

const part = (one: Part) => ({ away: () => one.takeAway('SIGKILL'), back: () => one.start() });

/** S3, the database, and each of Temporal's services, each away for its number of seconds. */
const outagesOf =
  (seconds: { s3: number; database: number; service: number }): Drill =>
  async (bench) => {
    const { stores, postgres, temporal } = bench.cluster;
    await outage(bench, 'S3 does not answer', seconds.s3, part(stores.part));
    const database = { away: () => postgres.part.takeAway(), back: () => postgres.part.start() };
    await outage(bench, 'PostgreSQL does not answer', seconds.database, database);
    for (const service of SERVICES)
      await outage(bench, `Temporal's ${service} service is away`, seconds.service, part(temporal.parts[service]));
  };

const outages = outagesOf({ s3: 45, database: 30, service: 20 });
const fullOutages = outagesOf({ s3: 600, database: 300, service: 120 });

/** `ingest` on one host and `bin` on the other, as the first is gone in between; each host once. */
const partedStages: Drill = async (bench) => {
  for (const [first, second] of [HOSTS, HOSTS.toReversed()] as [HostName, HostName][]) {
    const [here, there] = [first, second].map((name) => bench.cluster.hosts[name].workers.private) as [Part, Part];
    await there.takeAway();
    const run = await bench.start();
    while ((await bench.hostOf(run, 'ingest')) === null) await delay(1);
    while ((await bench.attempts(run, 'ingest')).every(({ ended }) => !ended)) await delay(1);
    await here.takeAway('SIGKILL');
    await there.start();
    const since = performance.now();
    const followed = await bench.follow(run);
    const [ingest, bin] = await Promise.all(['ingest', 'bin'].map((stage) => bench.attempts(run, stage)));
    await here.start();
    const where = [ingest!, bin!].map((attempts) => attempts.at(-1)!.pid === there.pid);
    const event = where.join() === 'false,true' ? `ingest on ${first}, bin on ${second}` : 'both on one host';
    await bench.row('hosts forced apart', event, [followed], since);
  }
};

/** A host that lives on without its network, and gets it back when the other one has done its work. */
const cutCables: Drill = async (bench) => {
  const { network } = bench.cluster;
  if (network.number === null) return;
  for (const stage of ['ingest', 'bin', 'privatize', 'audit', 'publish']) {
    const run = await bench.start();
    const host = (await seenIn(bench, run, stage)) ?? 'a';
    await network.cable(host, 'down');
    await delay(40_000);
    const since = performance.now();
    await network.cable(host, 'up');
    await bench.row('a host without its network, 40 s', stage, [await bench.follow(run)], since);
  }
};

/** A scratch so small that nothing fits: the host gives its work back, and the other one does it. */
const fullScratch: Drill = async (bench) => {
  if (bench.cluster.network.number === null) return;
  const { workers, files } = bench.cluster.hosts.a;
  const scratch = files.scratch('private');
  await workers.private.takeAway();
  await run('mount', ['-t', 'tmpfs', '-o', 'size=8k,mode=0700', 'tmpfs', scratch]);
  await workers.private.start();
  const since = performance.now();
  const runs = await Promise.all([bench.start(), bench.start(), bench.start()]);
  const followed = await Promise.all(runs.map((one) => bench.follow(one)));
  await workers.private.takeAway();
  await run('umount', [scratch]);
  await workers.private.start();
  await bench.row('one host has a full scratch', 'three releases', followed, since);
};

/** Drills of the long run, which the usual one leaves out. */
export const LONG: readonly string[] = [
  'fullOutages',
  'largeRelease',
  'largestRelease',
  'manyWindows',
  'sharedWork',
  'fairWork',
  'newestServer',
];

/** All drills, in the order in which they are carried out. */
export const DRILLS = {
  killHosts,
  partedStages,
  cutCables,
  outages,
  fullScratch,
  rotateKeys,
  restoredDatabase,
  droppedDatabase,
  splitBrain,
  lostStores,
  twoCustodians,
  backfillWindows,
  fullOutages,
  largeRelease,
  largestRelease,
  manyWindows,
  sharedWork,
  fairWork,
  // The last one: what comes after it has another server.
  newestServer,
};
