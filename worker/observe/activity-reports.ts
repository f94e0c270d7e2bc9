import type { Logger } from 'pino';
import { z } from 'zod';
import { partitionPath, releasePath, type Stage } from '../../contracts/names.ts';
import type { PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import type { ActivityReport, ReportActivity } from '../guard.ts';
import type { WorkerMetrics } from './metrics.ts';

/** The stage that an activity belongs to; `timed` when it does the work of the stage and not only its paperwork. */
const STAGE_OF: Record<keyof PrivateActivities | keyof PublicActivities, { stage: Stage; timed: boolean }> = {
  missingObjects: { stage: 'ingest', timed: false },
  changedObjects: { stage: 'gate', timed: false },
  scheduledWindow: { stage: 'ingest', timed: false },
  plan: { stage: 'ingest', timed: false },
  carry: { stage: 'ingest', timed: false },
  ingest: { stage: 'ingest', timed: true },
  reingest: { stage: 'ingest', timed: true },
  bin: { stage: 'bin', timed: true },
  reserve: { stage: 'privatize', timed: false },
  privatize: { stage: 'privatize', timed: true },
  abandon: { stage: 'privatize', timed: false },
  derive: { stage: 'derive', timed: true },
  shadow: { stage: 'audit', timed: true },
  audit: { stage: 'audit', timed: true },
  reaudit: { stage: 'audit', timed: true },
  approvers: { stage: 'gate', timed: false },
  decide: { stage: 'gate', timed: false },
  planRetraction: { stage: 'gate', timed: false },
  withhold: { stage: 'gate', timed: false },
  publish: { stage: 'publish', timed: true },
  commit: { stage: 'publish', timed: false },
  retract: { stage: 'publish', timed: false },
  noticeChannels: { stage: 'gate', timed: false },
  notify: { stage: 'gate', timed: false },
  updatePages: { stage: 'publish', timed: false },
};

const isActivity = (name: string): name is keyof typeof STAGE_OF => Object.hasOwn(STAGE_OF, name);

const release = z.object({ series: z.string(), window: z.string(), version: z.number() });
const partition = z.object({ partition: z.object({ part: z.string(), day: z.string() }) });

/** Logs and counts what activities do, with the ids of release, partition and stage from their input. */
export const activityReports =
  (log: Logger, metrics: WorkerMetrics): ReportActivity =>
  (report) => {
    const { activity, attempt } = report;
    const known = isActivity(activity) ? STAGE_OF[activity] : undefined;
    const line = { activity, stage: known?.stage, ...idsOf(report.input), attempt };
    if (report.event === 'started') return log.info(line, 'activity started');
    const { seconds } = report;
    if (report.event === 'done') {
      if (known?.timed) metrics.stageSeconds.record(seconds, { stage: known.stage });
      return log.info({ ...line, seconds }, 'activity done');
    }
    if (report.event === 'cancelled') return log.info({ ...line, seconds }, 'activity cancelled');
    metrics.failures.add(1, { activity, code: report.code });
    log.warn({ ...line, seconds, code: report.code }, 'activity failed');
  };

function idsOf(input: ActivityReport['input']): { release?: string; partition?: string } {
  const run = release.safeParse(input);
  const one = partition.safeParse(input);
  return {
    ...(run.success && { release: releasePath(run.data) }),
    ...(one.success && { partition: partitionPath(one.data.partition) }),
  };
}
