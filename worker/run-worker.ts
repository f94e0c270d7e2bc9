import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { GracefulShutdownPeriodExpiredError, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ActivityWork } from '../contracts/activity-work.ts';
import type { PrivateDeployment, PublicDeployment, TemporalConfiguration } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { QUEUES, WORKER_DEPLOYMENTS } from '../contracts/names.ts';
import { refuseUnsafeStore } from '../services/stores/canary.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { removeLeftovers } from '../services/stores/leftovers.ts';
import { connectionOptions, temporalKey } from '../services/temporal/connection.ts';
import { becomeCurrent } from '../services/temporal/current-version.ts';
import { dataConverterOf } from '../services/temporal/payload-codec.ts';
import { BEAT_MS, guard, type ReportActivity } from './guard.ts';
import { logErrors } from './logger.ts';
import type { WorkerStores } from './observe/health.ts';
import type { Measure } from './observe/metrics.ts';
import { observeWorker } from './observe/observe.ts';
import { every } from './observe/repeat.ts';
import { HeavyPlaces } from './stages/heavy-places.ts';
import { type Answers, LIGHT_PLACES, PATIENT_LIGHT_PLACES, patientPlaces, StageLanes } from './stages/stage-lanes.ts';

/** Time that activities get to finish when the worker is asked to stop; afterwards another worker repeats them. */
const SHUTDOWN_GRACE = '2 seconds';

/** Then the worker goes at once: an idle one would wait for its open polls, up to a minute. */
const SHUTDOWN_FORCE = '3 seconds';

/** Milliseconds between two looks at the API key: a new one acts without a new start. */
const API_KEY_PAUSE_MS = 30_000;

/** Milliseconds between two looks whether any build is current. */
const CURRENT_PAUSE_MS = 60_000;

/** What a worker is made of. */
export type WorkerParts = {
  deployment: PrivateDeployment | PublicDeployment;
  log: Logger;
  /** The stores that it writes, by the names that metrics and health show. */
  stores: WorkerStores & { release: WorkerStores[string] };
  /** The program that computes, the deployment file that it is given, and its activities. */
  stages: { entry: URL; file: string; work: Readonly<Record<string, ActivityWork>> };
  side: keyof typeof WORKER_DEPLOYMENTS;
  /** Its build, as the server knows it: tasks go to the current build of a side alone. */
  buildId: string;
  workflowBundle?: WorkerOptions['workflowBundle'];
  /** What only a process with a connection can answer, by activity: added to its input, whatever was sent. */
  asked?(connection: NativeConnection): Answers;
  watch(worker: Worker, measure: Measure): void;
  /** As the readiness check asks it. */
  requireSettled(): Promise<void>;
};

/**
 * Runs a worker until it is asked to stop. Its stores are tested and the processes that compute are up before it takes
 * anything. Tells the embedding parent, if there is one, when it is ready.
 */
export async function runWorker(parts: WorkerParts): Promise<void> {
  const { deployment, log, stages, side, buildId, workflowBundle } = parts;
  const { concurrency, scratch, temporal } = deployment;
  const stores = Object.values(parts.stores);
  /** Removes what killed workers and processes left in scratch and in the folder stores that it writes. */
  const sweep = async () => {
    await removeLeftovers(scratch, 'job');
    for (const { store } of stores) if (store instanceof FolderStore) await store.removeLeftovers();
  };
  await mkdir(scratch, { recursive: true, mode: 0o700 }); // a new host has none
  const places = { entry: stages.entry, deployment: stages.file, limits: deployment.process, concurrency };
  const lanes = new StageLanes({ ...places, log, sweep });
  try {
    const start = lanes.open();
    start.catch(() => {}); // it is awaited below
    const heavy = new HeavyPlaces(concurrency);
    const patientHeavy = new HeavyPlaces(patientPlaces(concurrency));
    const observation = await observeWorker({ ...parts, namespace: temporal.namespace, hasRoom: () => heavy.hasRoom });
    const report: ReportActivity = (one) => {
      observation.report(one);
      if (one.event === 'failed') for (const places of [heavy, patientHeavy]) places.hear(one.code);
    };
    await start;
    // Only now: processes of a worker that was killed end a moment after it. Before anything is written: a full disk
    // may be full of what they left.
    await sweep();
    for (const { store, canary } of stores) if (canary) await refuseUnsafeStore(store);
    const connection = await connect(temporal);
    const activities = guard(lanes.activities(stages.work, parts.asked?.(connection)), logErrors(log), report);
    if (temporal.apiKey)
      every(API_KEY_PAUSE_MS, log, 'the look at the API key', async () => {
        await connection.setApiKey((await temporalKey(temporal))!);
      });
    try {
      const options: Omit<WorkerOptions, 'taskQueue'> = {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName: WORKER_DEPLOYMENTS[side], buildId },
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
        activities,
        connection,
        namespace: temporal.namespace,
        dataConverter: await dataConverterOf(temporal),
        shutdownGraceTime: SHUTDOWN_GRACE,
        shutdownForceTime: SHUTDOWN_FORCE,
        maxHeartbeatThrottleInterval: BEAT_MS, // or the SDK would send one in twelve seconds
      };
      const { usual, patient } = QUEUES;
      const lightWorker = (taskQueue: string, most: number, more: Pick<WorkerOptions, 'workflowBundle'> = {}) =>
        Worker.create({ ...options, taskQueue, maxConcurrentActivityTaskExecutions: most, ...more });
      const worker = await lightWorker(usual.light[side], LIGHT_PLACES, workflowBundle && { workflowBundle });
      const slot = { type: 'fixed-size', numSlots: 1 } as const;
      const heavyWorker = (taskQueue: string, places: HeavyPlaces) =>
        Worker.create({
          ...options,
          taskQueue,
          tuner: {
            activityTaskSlotSupplier: places,
            workflowTaskSlotSupplier: slot,
            localActivityTaskSlotSupplier: slot,
            nexusTaskSlotSupplier: slot,
          },
        });
      const workers = [
        worker,
        await lightWorker(patient.light[side], PATIENT_LIGHT_PLACES),
        await heavyWorker(usual.heavy[side], heavy),
        await heavyWorker(patient.heavy[side], patientHeavy),
      ];
      // The embedding parent has died: no orphan keeps polling.
      process.once('disconnect', () => shutDown(workers));
      observation.watch(worker, connection);
      parts.watch(worker, observation.measure);
      await serve(workers, async () => {
        const own = { namespace: temporal.namespace, side, buildId, when: deployment.becomeCurrent };
        const become = () => becomeCurrent(connection.workflowService, parts.stores.release.store, own);
        const current = await become();
        // A server may lose its database under workers that run on.
        if (own.when === 'when-none')
          every(CURRENT_PAUSE_MS, log, 'the look at the current build', async () => void (await become()));
        if (current === buildId) log.info({ buildId }, 'this build is current');
        else log.warn({ buildId, current }, 'this build stays back until somebody promotes it');
        log.info({ taskQueue: usual.light[side] }, 'worker is ready');
        process.send?.('ready');
      });
    } finally {
      await connection.close().catch(() => {}); // polls that were given up may still hold it; the process ends now
    }
  } finally {
    await lanes.close();
  }
  process.disconnect?.(); // an open channel to the parent would keep this process alive
  log.info('worker has stopped');
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/**
 * Runs the workers of all queues to their end, and beside them what has to be done when they poll; throws what any of it
 * throws. When one of them ends, so does the other.
 */
async function serve(workers: readonly Worker[], oncePolling: () => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    shutDown(workers);
  };
  const runs = workers.map((worker) =>
    worker
      .run()
      .catch((error: unknown) => {
        if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
      })
      .then(() => shutDown(workers), fail),
  );
  void oncePolling().catch(fail);
  // A stop that had to be forced fails too, and has ended before.
  const failure = hasFailed(workers).then(async () => {
    shutDown(workers);
    await delay(FAILED_MS, undefined, { ref: false });
    failures.push(new Error('a worker of Temporal failed; the log says why'));
  });
  await Promise.race([Promise.all(runs), failure]);
  if (failures.length > 0) throw failures[0];
}

/** Milliseconds after which a process goes of which a worker has failed: the SDK may wait for its polls for ever. */
const FAILED_MS = 5_000;

async function hasFailed(workers: readonly Worker[]): Promise<void> {
  while (!workers.some((worker) => worker.getState() === 'FAILED')) await delay(1_000, undefined, { ref: false });
}

async function connect(temporal: TemporalConfiguration): Promise<NativeConnection> {
  const options = await connectionOptions(temporal);
  try {
    // Payloads are references of some hundred bytes: to compress them costs more than it saves (docs/adr/0004).
    return await NativeConnection.connect({ ...options, grpcCompression: { codec: 'none' } });
  } catch {
    throw new OpalineError(
      'SERVER_UNAVAILABLE',
      `Temporal does not answer at ${temporal.address}; start it, or correct the address${temporal.tls ? ' or tls' : ''}.`,
    );
  }
}
