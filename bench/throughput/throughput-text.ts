import type { TopLevelSpec } from 'vega-lite';
import { markdownTable } from '../measuring.ts';

/**
 * When a kind of activity was at work in one workflow, in ms since 1970, how many of it there were, and the events of the
 * workflow's history.
 */
export type Span = { from: number; to: number; count: number; events: number };

/** What one run saw: spans by window, in order, of privatize and of as many activities that do nothing. */
export type Measured = {
  backfill: Span[];
  baseline: Span[];
  /** Of the whole backfill, all stages. */
  seconds: number;
  /** Processor time of the whole backfill, and resident memory at its end. */
  processes: { name: string; cpuMs: number; residentMiB: number }[];
};

/** Seconds that n partitions took from the first schedule of their windows to the last completion, added up. */
type Point = { partitions: number; seconds: number };

/** The curve: one point a window. */
export function curveOf(spans: readonly Span[]): Point[] {
  let [partitions, seconds] = [0, 0];
  return spans.map(({ from, to, count }) => {
    partitions += count;
    seconds += (to - from) / 1000;
    return { partitions, seconds };
  });
}

/** Partitions a second through a whole run. */
export function rateOf(spans: readonly Span[]): number {
  const { partitions, seconds } = curveOf(spans).at(-1)!;
  return partitions / seconds;
}

/** The part of docs/performance.md. */
export function throughputText({ backfill, baseline, seconds, processes }: Measured): string {
  const { partitions } = curveOf(backfill).at(-1)!;
  const own = rateOf(backfill);
  const bare = rateOf(baseline);
  const rows = processes.map(({ name, cpuMs, residentMiB }) => [
    name,
    (cpuMs / partitions).toFixed(1),
    residentMiB.toFixed(0),
  ]);
  return `One backfill of ${backfill.length} windows of ${backfill[0]!.count} partitions, one window after the other, and then as many activities
that do nothing, on the same server, with as many at once.

![${PICTURE_LABEL}](pictures/throughput.svg)

- **Privatize**: ${own.toFixed(0)} partitions a second, beside ${bare.toFixed(0)} activities that do nothing: a ratio of ${(bare / own).toFixed(2)}.
- **All stages together**, from the start of the backfill until its last release waits at its gate: ${(partitions / seconds).toFixed(0)} partitions a second.
- The longest history of a release has ${Math.max(...backfill.map(({ events }) => events))} events at its gate.

${markdownTable(['process', 'ms of processor time a partition, all stages', 'MiB at the end'], rows)}`;
}

export const PICTURE_LABEL =
  'Seconds in privatize over the number of partitions of one backfill, beside activities that do nothing';

/** Seconds over partitions. */
export function curvePicture({ backfill, baseline }: Measured): TopLevelSpec {
  const lines = {
    privatize: curveOf(backfill),
    'an activity that does nothing': curveOf(baseline),
  };
  return {
    width: 560,
    height: 280,
    data: { values: Object.entries(lines).flatMap(([line, points]) => points.map((point) => ({ line, ...point }))) },
    mark: 'line',
    encoding: {
      x: { field: 'partitions', type: 'quantitative', title: 'partitions of one backfill' },
      y: { field: 'seconds', type: 'quantitative', title: 'seconds' },
      color: { field: 'line', type: 'nominal', title: null, sort: null, legend: { orient: 'bottom' } },
    },
  };
}
