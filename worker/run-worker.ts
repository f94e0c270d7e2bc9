import { GracefulShutdownPeriodExpiredError, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { PrivateDeployment, PublicDeployment, TemporalConfiguration } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import { refuseUnsafeStore } from '../services/stores/canary.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { removeLeftovers } from '../services/stores/leftovers.ts';
import { connectionOptions } from '../services/temporal/connection.ts';
import { BEAT_MS, guard } from './guard.ts';
import { logErrors } from './logger.ts';
import { observeWorker } from './observe/observe.ts';
import type { WorkerStores } from './observe/readiness.ts';
import { activityPlaces, StageLanes, type Weights } from './stages/stage-lanes.ts';

/** Time that activities get to finish when the worker is told to stop; afterwards another worker repeats them. */
const SHUTDOWN_GRACE = '2 seconds';

/** Then the worker goes at once: an idle one would wait for its open polls, up to a minute. */
const SHUTDOWN_FORCE = '3 seconds';

/** What a worker is made of. */
export type WorkerParts<Activities> = {
  deployment: PrivateDeployment | PublicDeployment;
  log: Logger;
  /** The stores that it writes, by the names that metrics and health show. */
  stores: WorkerStores;
  /** The program that computes, and which of its activities are heavy. */
  stages: { entry: URL; weights: Weights<Activities> };
  options: Pick<WorkerOptions, 'workflowBundle' | 'workerDeploymentOptions'> & { taskQueue: string };
  watch?(worker: Worker): void;
  /** What has to be settled with the server when the worker polls; a failure of it ends the worker. */
  oncePolling?(connection: NativeConnection): Promise<void>;
};

/**
 * Runs a worker until it is told to stop. Its stores are tested and the processes that compute are up before it takes
 * anything. Tells the embedding parent, if there is one, when it is ready.
 */
export async function runWorker<Activities>(parts: WorkerParts<Activities>): Promise<void> {
  const { deployment, log, stages, options } = parts;
  const { concurrency, scratch } = deployment;
  const written = Object.values(parts.stores);
  const stores = written.map(({ store }) => store);
  const lanes = new StageLanes({
    entry: stages.entry,
    deployment: process.argv[2]!,
    limits: deployment.process,
    concurrency,
    log,
    sweep: () => sweep(scratch, stores),
  });
  try {
    const opened = lanes.open();
    opened.catch(() => {}); // it is awaited below
    const { report, watch } = await observeWorker(parts);
    await opened;
    // Only now: processes of a worker that was killed end a moment after it. Before anything is written: a full disk
    // may be full of what they left.
    await sweep(scratch, stores);
    for (const { store, canary } of written) if (canary) await refuseUnsafeStore(store);
    const activities = guard(lanes.activities(stages.weights), logErrors(log), report);
    const places = activityPlaces(concurrency);
    await serve(
      deployment.temporal,
      { ...options, activities, maxConcurrentActivityTaskExecutions: places },
      parts,
      watch,
    );
  } finally {
    await lanes.close();
  }
  process.disconnect?.(); // an open channel to the parent would keep this process alive
  log.info('worker has stopped');
}

async function serve<Activities>(
  temporal: TemporalConfiguration,
  options: Omit<WorkerOptions, 'connection' | 'namespace'>,
  { log, watch, oncePolling }: WorkerParts<Activities>,
  observe: (worker: Worker, connection: NativeConnection) => void,
): Promise<void> {
  const connection = await connect(temporal);
  try {
    const worker = await Worker.create({
      ...options,
      connection,
      namespace: temporal.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_FORCE,
      maxHeartbeatThrottleInterval: BEAT_MS, // or the SDK would send one in twelve seconds
    });
    process.once('disconnect', () => worker.shutdown()); // the embedding parent has died: no orphan keeps polling
    observe(worker, connection);
    watch?.(worker);
    const running = worker.run();
    const failures: unknown[] = [];
    const ready = () => {
      log.info({ taskQueue: options.taskQueue }, 'worker is ready');
      process.send?.('ready');
    };
    void Promise.resolve(oncePolling?.(connection)).then(ready, (error: unknown) => {
      failures.push(error);
      if (worker.getState() === 'RUNNING') worker.shutdown();
    });
    await running.catch((error: unknown) => {
      if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
    });
    if (failures.length > 0) throw failures[0];
  } finally {
    await connection.close().catch(() => {}); // polls that were given up may still hold it; the process ends now
  }
}

async function connect(temporal: TemporalConfiguration): Promise<NativeConnection> {
  const options = await connectionOptions(temporal);
  try {
    // Payloads are references of some hundred bytes: to compress them costs more than it saves (docs/adr/0035).
    return await NativeConnection.connect({ ...options, grpcCompression: { codec: 'none' } });
  } catch {
    throw new OpalineError(
      'SERVER_UNAVAILABLE',
      `Temporal does not answer at ${temporal.address}; start it, or correct the address${temporal.tls ? ' or tls' : ''}.`,
    );
  }
}

/** Removes, at the start of a worker, what killed workers left in scratch and in the folder stores that it writes. */
async function sweep(scratch: string, stores: readonly ObjectStore[]): Promise<void> {
  await removeLeftovers(scratch, 'job');
  for (const store of stores) if (store instanceof FolderStore) await store.removeLeftovers();
}
