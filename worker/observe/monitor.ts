import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { LedgerReader } from '../../services/ledger/believed-ledger.ts';
import { everyAppliedSeries } from '../../services/stores/series-objects.ts';
import { LedgerMonitor } from './ledger-monitor.ts';
import { ReleaseMonitor } from './release-monitor.ts';
import { every } from './repeat.ts';
import { RetractionMonitor } from './retraction-monitor.ts';
import { ScheduleMonitor } from './schedule-monitor.ts';

const PASS_MS = 30_000;

/**
 * Looks at Temporal and the release store every half minute, for the metrics that no single activity knows. It runs in
 * the public worker and reads only what is public or about to be. Each part fails by itself: it is logged, its metrics
 * stand as they were, and its time stamp gets old.
 */
export function startMonitor(client: Client, reader: LedgerReader, log: Logger): void {
  const { releaseStore } = reader;
  const passed = Runtime.instance().metricMeter.createGauge(
    'opaline_monitor_passed_timestamp_seconds',
    'float',
    '',
    'Unix time of the last look that succeeded, by what was looked at.',
  );
  const releases = new ReleaseMonitor(client, releaseStore);
  const retractions = new RetractionMonitor(client);
  const ledger = new LedgerMonitor(reader);
  const schedules = new ScheduleMonitor(client, releaseStore);
  const parts: Record<string, () => Promise<void>> = {
    releases: () => releases.pass(),
    retractions: () => retractions.pass(),
    ledger: async () => ledger.pass(await everyAppliedSeries(releaseStore)),
    schedules: async () => schedules.pass(await everyAppliedSeries(releaseStore)),
  };
  for (const [part, look] of Object.entries(parts))
    every(PASS_MS, log, `the look at ${part}`, async () => {
      await look();
      passed.set(Date.now() / 1000, { part });
    });
}
