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

const rateOf = ({ partitions, seconds }: Point): number => partitions / seconds;

/** Rates after 1, 5, 18 and 36 windows, as far as the run went: 56, 280, 1,008 and 2,016 partitions. */
const MILESTONES = [1, 5, 18, 36];

/** Rates at the milestones, beside those of activities that do nothing; the last row is of the whole run. */
export function rateRows({ backfill, baseline }: Pick<Measured, 'backfill' | 'baseline'>): string[][] {
  const [curve, bare] = [curveOf(backfill), curveOf(baseline)];
  return [...MILESTONES.filter((windows) => windows < curve.length), curve.length].map((windows) => {
    const [point, nothing] = [curve[windows - 1]!, bare[windows - 1]!];
    const rates = [rateOf(point).toFixed(0), rateOf(nothing).toFixed(0), (rateOf(nothing) / rateOf(point)).toFixed(2)];
    return [point.partitions.toLocaleString('en'), point.seconds.toFixed(1), ...rates];
  });
}

/** The part of docs/performance.md. */
export function throughputText(measured: Measured): string {
  const { backfill, seconds, processes } = measured;
  const { partitions } = curveOf(backfill).at(-1)!;
  const rates = ['partitions a second', 'activities that do nothing a second', 'ratio'];
  const rows = processes.map(({ name, cpuMs, residentMiB }) => [
    name,
    (cpuMs / partitions).toFixed(1),
    residentMiB.toFixed(0),
  ]);
  return `One backfill of ${backfill.length} windows of ${backfill[0]!.count} partitions, one window after the other, and then as many activities
that do nothing, on the same server, with as many at once.

${markdownTable(['partitions', 'seconds in privatize', ...rates], rateRows(measured), 0)}

![${PICTURE_LABEL}](pictures/throughput.svg)

- **All stages together**, from the start of the backfill until its last release waits at its gate: ${(partitions / seconds).toFixed(0)} partitions a second.
- The longest history of a release has ${Math.max(...backfill.map(({ events }) => events))} events at its gate.

${markdownTable(['process', 'ms of processor time a partition, all stages', 'MiB at the end'], rows)}`;
}

export const PICTURE_LABEL =
  'Seconds in privatize over the number of partitions of one backfill, beside activities that do nothing';

/** Seconds over partitions. */
export function curvePicture({ backfill, baseline }: Measured): TopLevelSpec {
  const curve = curveOf(backfill);
  const lines = {
    privatize: curve,
    'an activity that does nothing': curveOf(baseline),
    '100 a second': curve.map(({ partitions }) => ({ partitions, seconds: partitions / 100 })),
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
