import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { parseRetractWorkflowId } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import { openReserves } from '../../core/ledger/budget.ts';
import { budgetLeft } from '../../core/ledger/budget-left.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { listOverdue } from '../../services/calendar/schedule-times.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { windowsThatRan } from '../../services/stores/release-executions.ts';
import { readSchedule } from '../../services/stores/schedule-objects.ts';
import { everyAppliedSeries } from '../../services/stores/series-objects.ts';
import { nullWhenNotFound } from '../../services/temporal/connection.ts';
import { findOrphans } from '../../services/temporal/open-execution.ts';
import type { Measure, Sample } from './metrics.ts';
import { lookAtReleases } from './release-look.ts';
import { every } from './repeat.ts';

const PASS_MS = 30_000;

/** Looks at one part of Temporal and the release store, and gives the values of its metrics. */
type Look = (now: Date) => Promise<Sample[]>;

/**
 * Looks at Temporal and the release store every half minute, for the metrics that no single activity knows. It runs in
 * the public worker and reads only what is public or about to be. Each part fails by itself: it is logged, its metrics
 * stay as they were, and its time stamp gets old.
 */
export function startMonitor(client: Client, reader: LedgerReader, log: Logger, measure: Measure): void {
  const looks: Record<string, Look> = {
    releases: lookAtReleases(client, reader.releaseStore),
    retractions: (now) => lookAtRetractions(client, now),
    ledger: () => lookAtLedgers(reader),
    charges: () => lookAtCharges(client, reader),
    schedules: (now) => lookAtSchedules(client, reader.releaseStore, now),
  };
  for (const [part, look] of Object.entries(looks)) {
    let before = new Map<string, Sample>();
    every(PASS_MS, log, `the look at ${part}`, async () => {
      const samples = new Map((await look(new Date())).map((one) => [JSON.stringify([one[0], one[2]]), one]));
      // A series that is gone has 0: its last value would stay.
      for (const [key, [name, , labels]] of before)
        if (labels?.series !== undefined && !samples.has(key)) samples.set(key, [name, 0, labels]);
      for (const sample of samples.values()) measure(...sample);
      before = samples;
      measure('opaline_monitor_passed_timestamp_seconds', Date.now() / 1000, { part });
    });
  }
}

/**
 * Retractions that were asked for and are not done: they wait at their gate, which may have expired, or for a store. All
 * count alike, from the time that somebody asked: until the end the publication is as it was.
 */
async function lookAtRetractions(client: Client, now: Date): Promise<Sample[]> {
  const ages = new Map<string, number[]>();
  const query = "WorkflowType = 'retractWorkflow' AND ExecutionStatus = 'Running'";
  for await (const { workflowId, startTime } of client.workflow.list({ query })) {
    const series = parseRetractWorkflowId(workflowId)?.series;
    const seconds = (now.getTime() - startTime.getTime()) / 1000;
    if (series !== undefined) ages.set(series, [...(ages.get(series) ?? []), seconds]);
  }
  return [...ages].flatMap(([series, seconds]): Sample[] => [
    ['opaline_open_retractions', seconds.length, { series }],
    ['opaline_open_retraction_oldest_seconds', Math.max(0, ...seconds), { series }],
  ]);
}

/** Charges of releases that Temporal has lost, by population. */
async function lookAtCharges(client: Client, reader: LedgerReader): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const population of await populationsOf(reader)) {
    const { entries } = await verifyLedger(reader, population);
    const { workflowService, options } = client;
    const orphans = await findOrphans({ workflowService, ...options }, openReserves(entries));
    samples.push(['opaline_orphaned_charges', orphans.length, { population }]);
  }
  return samples;
}

const populationsOf = async ({ releaseStore }: LedgerReader): Promise<Set<string>> =>
  new Set((await everyAppliedSeries(releaseStore)).map(({ population }) => population));

/** A chain of years is summed up again only when it has a new entry: until then its reader gives the same ledger. */
const leftOf = oncePer(({ entries }: Ledger) => budgetLeft(entries));

/** Budget left, by population, from the public ledgers (C12); one that others signed fails. */
async function lookAtLedgers(reader: LedgerReader): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const population of await populationsOf(reader)) {
    const { block, year } = leftOf(await verifyLedger(reader, population));
    for (const [cap, amounts] of Object.entries({ block, year }))
      for (const [amount, ratio] of Object.entries(amounts))
        samples.push(['opaline_ledger_remaining_ratio', ratio, { population, cap, amount }]);
  }
  return samples;
}

/** What is due by a schedule and was never started, also while Temporal or its schedule was down. */
async function lookAtSchedules(client: Client, releaseStore: ObjectStore, now: Date): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const series of await everyAppliedSeries(releaseStore)) {
    const name = series.series;
    const request = { namespace: client.options.namespace, scheduleId: scheduleId(name) };
    const answer = await client.workflowService.describeSchedule(request).catch(nullWhenNotFound);
    // By the store, also while Temporal does not have the schedule.
    const schedule = await readSchedule(releaseStore, name);
    const since = schedule?.state === 'removed' ? null : schedule?.since;
    const ran = since && (await windowsThatRan(releaseStore, name));
    const [oldest] = since && ran ? listOverdue(series, new Date(since), now, ran) : [];
    const late = oldest ? (now.getTime() - Date.parse(oldest.scheduledAt)) / 1000 : 0;
    samples.push(['opaline_schedule_late_seconds', late, { series: name }]);
    samples.push(['opaline_schedule_paused', answer?.schedule?.state?.paused ? 1 : 0, { series: name }]);
  }
  return samples;
}
