import { statfs } from 'node:fs/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ReportActivity } from '../guard.ts';
import { buildDigest } from '../source-digest.ts';
import { activityReports } from './activity-reports.ts';
import { watchEventLoop } from './event-loop.ts';
import { startHealthServer } from './health-server.ts';
import { type WorkerMetrics, workerMetrics } from './metrics.ts';
import { ReadinessCheck, type WorkerStores } from './readiness.ts';
import { every } from './repeat.ts';

/** Milliseconds between two looks at the worker's own state. */
const LOOK_MS = 15_000;

/** Steps of the free part of the scratch disk: finer ones would tell the size of the copies of the source. */
const SCRATCH_STEPS = 20;

export type Observation = {
  /** For the guard of the activities. */
  report: ReportActivity;
  /** To be told of the worker when it has been made. */
  watch(worker: Worker, connection: NativeConnection): void;
};

/**
 * Has a worker observed: a log line and metrics for every activity, the longest block of its event loop, and, where the
 * deployment names addresses, health and metrics listeners. The runtime has to be installed before. Throws
 * CONFIGURATION_INVALID.
 */
export async function observeWorker(options: {
  log: Logger;
  deployment: { observe?: { metrics: string; health: string } | undefined; scratch: string };
  stores: WorkerStores;
}): Promise<Observation> {
  const { log, stores } = options;
  const { observe, scratch } = options.deployment;
  const metrics = workerMetrics();
  const readiness = new ReadinessCheck(stores);
  if (observe) {
    await startHealthServer(observe.health, readiness);
    metrics.build.set(1, { build: await buildDigest() });
    every(LOOK_MS, log, 'the look at the worker', () => look(metrics, readiness, scratch));
  }
  return {
    report: activityReports(log, metrics),
    watch: (worker, connection) => {
      readiness.watch(worker, connection);
      watchEventLoop(log, (seconds) => metrics.longestBlock.set(seconds));
    },
  };
}

async function look(metrics: WorkerMetrics, readiness: ReadinessCheck, scratch: string): Promise<void> {
  const { causes, stores } = await readiness.now();
  metrics.ready.set(causes.length === 0 ? 1 : 0);
  for (const [store, reachable] of Object.entries(stores)) metrics.store.set(reachable ? 1 : 0, { store });
  const { bavail, blocks } = await statfs(scratch);
  metrics.scratch.set(Math.floor((bavail / blocks) * SCRATCH_STEPS) / SCRATCH_STEPS);
}
