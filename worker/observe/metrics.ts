import { Runtime, type TelemetryOptions } from '@temporalio/worker';

/** Upper bounds of the duration buckets, in seconds: from one partition to a month of a large city. */
const DURATION_BUCKETS = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400];

const STAGE_SECONDS = 'opaline_stage_seconds';

/** Serves Temporal's metrics and ours in Prometheus' format under `/metrics` of one address. */
export const metricsOptions = (bindAddress: string): TelemetryOptions => ({
  metrics: {
    prometheus: {
      bindAddress,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
      histogramBucketOverrides: { [STAGE_SECONDS]: DURATION_BUCKETS },
    },
  },
});

/** Metrics of both workers. None holds a release (there would be ever more of them) or anything counted in raw data. */
export function workerMetrics() {
  const meter = Runtime.instance().metricMeter;
  return {
    stageSeconds: meter.createHistogram(
      STAGE_SECONDS,
      'float',
      '',
      'Seconds that a successful run of a stage\u2019s activity took, by stage.',
    ),
    failures: meter.createCounter(
      'opaline_activity_failures',
      '',
      'Attempts of activities that failed, by error code.',
    ),
    build: meter.createGauge('opaline_build_info', 'int', '', 'Always 1; the build of the worker is a label.'),
    ready: meter.createGauge('opaline_worker_ready', 'int', '', '1 when the worker is ready, as /readyz says, else 0.'),
    store: meter.createGauge(
      'opaline_store_reachable',
      'int',
      '',
      '1 when the store answers and is the tested one, else 0.',
    ),
    longestBlock: meter.createGauge(
      'opaline_event_loop_longest_block_seconds',
      'float',
      '',
      'Longest block of the event loop of the worker in the last ten seconds; more than 0.2 is a defect.',
    ),
    scratch: meter.createGauge(
      'opaline_scratch_free_ratio',
      'float',
      '',
      'Free part of the scratch disk, rounded down to a twentieth.',
    ),
  };
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;
