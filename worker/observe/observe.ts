import { statfs } from 'node:fs/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type ActivityWork, PRIVATE_WORK, PUBLIC_WORK } from '../../contracts/activity-work.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { ActivityReport, ReportActivity } from '../guard.ts';
import { buildDigest } from '../source-digest.ts';
import { type ReadinessSubject, readinessCheck, startHealthServer } from './health.ts';
import { createMetrics, type Measure } from './metrics.ts';
import { every } from './repeat.ts';

/** Milliseconds between two looks at the worker's own state. */
const LOOK_MS = 15_000;

/** Part of the scratch disk in twentieths: finer steps would reveal the size of the copies of the source. */
export const scratchSteps = (part: number, round: (steps: number) => number): number => round(part * 20) / 20;

/**
 * Has a worker observed: a log line and metrics for every activity, the longest block of its event loop, and, where the
 * deployment names addresses, health and metrics listeners. The runtime has to be installed before. Throws
 * CONFIGURATION_INVALID. `report` is for the guard of the activities; `watch` takes the worker when it has been made.
 */
export async function observeWorker(
  options: ReadinessSubject & {
    log: Logger;
    deployment: { observe?: { metrics: string; health: string } | undefined; scratch: string };
  },
) {
  const { log } = options;
  const { observe, scratch } = options.deployment;
  const measure = createMetrics();
  const readiness = readinessCheck(options);
  if (observe) {
    await startHealthServer(observe.health, readiness);
    measure('opaline_build_info', 1, { build: buildDigest() });
    every(LOOK_MS, log, 'the look at the worker', async () => {
      const { causes, stores: reachable, isCurrent } = readiness.now();
      measure('opaline_worker_ready', causes.length === 0 ? 1 : 0);
      if (isCurrent !== undefined) measure('opaline_build_current', isCurrent ? 1 : 0, { build: options.buildId });
      for (const [store, answers] of Object.entries(reachable))
        measure('opaline_store_reachable', answers ? 1 : 0, { store });
      const { bavail, blocks } = await statfs(scratch);
      measure('opaline_scratch_free_ratio', scratchSteps(bavail / blocks, Math.floor));
    });
  }
  return {
    measure,
    report: activityReports(log, measure),
    watch: (worker: Worker, connection: NativeConnection): void => {
      if (observe) readiness.watch(worker, connection, log);
      watchEventLoop(log, (seconds) => measure('opaline_event_loop_longest_block_seconds', seconds));
    },
  };
}

const WORK = new Map<string, ActivityWork>(Object.entries({ ...PRIVATE_WORK, ...PUBLIC_WORK }));

const release = z.object({ series: z.string(), window: z.string(), version: z.number() });
const partition = z.object({ partitions: z.tuple([z.object({ part: z.string(), day: z.string() })]) });

/** Logs and counts what activities do, with the ids of release, partition and stage from their input. */
const activityReports =
  (log: Logger, measure: Measure): ReportActivity =>
  (report) => {
    const { activity, attempt } = report;
    const [stage, , isTimed] = WORK.get(activity) ?? [];
    const line = { activity, stage, ...idsOf(report.input), attempt };
    if (report.event === 'started') return log.info(line, 'activity started');
    const { seconds } = report;
    if (report.event === 'failed') {
      measure('opaline_activity_failures', 1, { activity, code: report.code });
      return log.warn({ ...line, seconds, code: report.code }, 'activity failed');
    }
    if (report.event === 'done' && stage && isTimed) measure('opaline_stage_seconds', seconds, { stage });
    log.info({ ...line, seconds }, `activity ${report.event}`);
  };

function idsOf(input: ActivityReport['input']): { release?: string; partition?: string } {
  const run = release.safeParse(input);
  const one = partition.safeParse(input);
  return {
    ...(run.success && { release: releasePath(run.data) }),
    ...(one.success && { partition: partitionPath(one.data.partitions[0]) }),
  };
}

/** A longer block of the process that serves Temporal is a defect: heartbeats and answers would wait for it. */
const LONGEST_MS = 200;

/** Milliseconds between two samples. */
const SAMPLE_MS = 20;

/** Milliseconds after which the longest block of the last while is measured. */
const BLOCK_LOOK_MS = 10_000;

/**
 * Watches the event loop of this thread from now on: reports the longest block of each ten seconds, in seconds, and
 * writes a line for one that is too long. A block is the processor time that the thread used between two samples, so
 * that a machine on which others compute does not look like a thread that computes.
 */
export function watchEventLoop(log: Logger, report: (longestSeconds: number) => void): void {
  let longest = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, SAMPLE_MS).unref();
  setInterval(() => {
    report(longest / 1000);
    if (longest > LONGEST_MS) log.warn({ milliseconds: Math.round(longest) }, 'the event loop was blocked');
    longest = 0;
  }, BLOCK_LOOK_MS).unref();
}
