import { Runtime, type TelemetryOptions } from '@temporalio/worker';

/*
 * Every metric of ours, and what it says. None holds a release (there would be ever more of them) or anything counted in
 * raw data.
 */

const GAUGES = {
  opaline_build_info: 'Always 1; the build of the worker is a label.',
  opaline_build_current: '1 when new work comes to the build of the worker, 0 when another one is current.',
  opaline_worker_ready: '1 when the worker is ready, as /readyz says, else 0.',
  opaline_store_reachable: '1 when the store answers and is the tested one, else 0.',
  opaline_event_loop_longest_block_seconds:
    'Longest block of the event loop of the worker in the last ten seconds; more than 0.2 is a defect.',
  opaline_scratch_free_ratio: 'Free part of the scratch disk, rounded down to a twentieth.',
  opaline_raw_copies: 'Copies of objects of the source that are in scratch now.',
  opaline_raw_copies_scratch_ratio: 'Part of the scratch disk that they take, rounded up to a twentieth.',
  opaline_raw_copies_oldest_seconds:
    'Time since the last copy was made for the release that has waited longest; 0: none is there.',
  opaline_monitor_passed_timestamp_seconds: 'Unix time of the last look that succeeded, by what was looked at.',
  opaline_releases: 'Releases by state, open or ended in the last 7 days.',
  opaline_partitions: 'Partitions of open releases by state.',
  opaline_waiting_approvals: 'Releases that wait at the gate for people.',
  opaline_waiting_oldest_seconds: 'Time that the oldest of them has waited.',
  opaline_waiting_expiry_ratio:
    'Largest part of its time until expiry that a release at the gate has waited; 1: it expires.',
  opaline_open_retractions: 'Retractions that were asked for and are not done: the publication is as it was.',
  opaline_open_retraction_oldest_seconds: 'Time since the oldest of them was asked for; 0: there is none.',
  opaline_orphaned_charges: 'Charged releases that have not ended and of which no workflow is open in Temporal.',
  opaline_ledger_remaining_ratio:
    'Part of a cap that the charges around the newest days of data leave, by population, cap and amount.',
  opaline_schedule_late_seconds:
    'Time since the oldest scheduled window that no release was started for was due; 0: none is missing.',
  opaline_schedule_paused: '1 when people have paused the schedule of the series, else 0.',
};

const COUNTERS = {
  opaline_activity_failures: 'Attempts of activities that failed, by error code.',
  opaline_input_warnings: 'Warnings of what the source of a release holds, by series and kind.',
};

const HISTOGRAMS = {
  opaline_stage_seconds: 'Seconds that a successful run of a stage\u2019s activity took, by stage.',
};

type MetricName = keyof typeof GAUGES | keyof typeof COUNTERS | keyof typeof HISTOGRAMS;

/** A value of a metric: what a gauge is, what a counter grows by, or one of many of a histogram. */
export type Sample = readonly [name: MetricName, value: number, labels?: Record<string, string>];
export type Measure = (...sample: Sample) => void;

/** The metrics of this process. The runtime has to be installed before. */
export function createMetrics(): Measure {
  const meter = Runtime.instance().metricMeter;
  const metrics = new Map<string, (value: number, labels?: Record<string, string>) => void>();
  const typeOf = (name: string) => (/_(seconds|ratio)$/.test(name) ? 'float' : 'int');
  for (const [name, says] of Object.entries(GAUGES)) {
    const gauge = meter.createGauge(name, typeOf(name), '', says);
    metrics.set(name, (value, labels) => gauge.set(value, labels));
  }
  for (const [name, says] of Object.entries(COUNTERS)) {
    const counter = meter.createCounter(name, '', says);
    metrics.set(name, (value, labels) => counter.add(value, labels));
  }
  for (const [name, says] of Object.entries(HISTOGRAMS)) {
    const histogram = meter.createHistogram(name, typeOf(name), '', says);
    metrics.set(name, (value, labels) => histogram.record(value, labels));
  }
  return (name, value, labels) => metrics.get(name)!(value, labels);
}

/** Upper bounds of the duration buckets, in seconds: from one partition to a month of a large city. */
const DURATION_BUCKETS = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400];

/** Serves Temporal's metrics and ours in Prometheus' format under `/metrics` of one address. */
export const metricsOptions = (bindAddress: string): TelemetryOptions => ({
  metrics: {
    prometheus: {
      bindAddress,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
      histogramBucketOverrides: { opaline_stage_seconds: DURATION_BUCKETS },
    },
  },
});
