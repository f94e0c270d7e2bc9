import { markdownTable } from '../measuring.ts';
import type { Baseline } from './baseline.ts';
import type { Span } from './spans.ts';

/** What one run saw: spans by window, in order. */
export type Measured = {
  backfill: {
    spans: Span[];
    /** Of the whole backfill, all stages. */
    seconds: number;
    /** Processor time while partitions were privatized, and resident memory at the end. */
    processes: { name: string; cpuMs: number; residentMiB: number }[];
  };
  baseline: Baseline;
};

/** Seconds that so many partitions took from the first schedule of their windows to the last completion, added up. */
export type Point = { partitions: number; seconds: number };

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

/** The numbers of windows to tell of: 56, 280, 1,008 and 2,016 partitions, as far as the run went. */
const MILESTONES = [1, 5, 18, 36];

function milestones(spans: readonly Span[]): Point[] {
  const curve = curveOf(spans);
  const shown = MILESTONES.filter((windows) => windows < curve.length);
  return [...shown, curve.length].map((windows) => curve[windows - 1]!);
}

/** How many times as long as an activity that does nothing a partition took in privatize, over the whole run. */
export const timesNothing = ({ backfill, baseline }: Measured): string =>
  (rateOf(curveOf(baseline.spans).at(-1)!) / rateOf(curveOf(backfill.spans).at(-1)!)).toFixed(2);

/** Rates at the milestones, beside those of activities that do nothing. */
export function rateTable({ backfill, baseline }: Measured): string {
  const nothing = milestones(baseline.spans);
  const rows = milestones(backfill.spans).map((point, place) => {
    const bare = nothing[place]!;
    return [
      point.partitions.toLocaleString('en'),
      point.seconds.toFixed(1),
      rateOf(point).toFixed(0),
      rateOf(bare).toFixed(0),
      (rateOf(bare) / rateOf(point)).toFixed(2),
    ];
  });
  const rates = ['partitions a second', 'activities that do nothing a second', 'ratio'];
  return markdownTable(['partitions', 'seconds in privatize', ...rates], rows, 0);
}

/** Time of the second half of the partitions over that of the first: 1 when the curve is a line. */
export function bend(points: readonly Point[]): number {
  const half = points[Math.floor(points.length / 2) - 1] ?? points[0]!;
  const all = points.at(-1)!;
  const perPartition = (all.seconds - half.seconds) / Math.max(1, all.partitions - half.partitions);
  return perPartition / (half.seconds / half.partitions);
}

/** The part of docs/performance.md. */
export function throughputText(measured: Measured): string {
  const { backfill } = measured;
  const curve = curveOf(backfill.spans);
  const all = curve.at(-1)!;
  const total = all.partitions;
  const events = Math.max(...backfill.spans.map((span) => span.events));
  const processes = backfill.processes.map(
    ({ name, cpuMs, residentMiB }) => `| ${name} | ${(cpuMs / total).toFixed(1)} | ${residentMiB.toFixed(0)} |`,
  );
  const cpuMs = backfill.processes.reduce((sum, one) => sum + one.cpuMs, 0);
  const share = cpuMs / 1000 / all.seconds;
  return `One backfill of ${backfill.spans.length} windows of ${backfill.spans[0]!.count} partitions, one window after the other, and then as many activities
that do nothing, on the same server, with as many at once.

${rateTable(measured)}

![Seconds in privatize over the number of partitions of one backfill, beside activities that do nothing](pictures/throughput.svg)

- **The curve is a line** when its second half takes as long as its first: here ${bend(curve).toFixed(2)} times as long (activities that do nothing:
  ${bend(curveOf(measured.baseline.spans)).toFixed(2)}).
- **All stages together**, from the start of the backfill until its last release waits at its gate: ${(total / backfill.seconds).toFixed(0)} partitions a second.
- The longest history of a release has ${events} events at its gate.

| process | ms of processor time a partition in privatize | MiB at the end |
|---|--:|--:|
${processes.join('\n')}

Together ${(cpuMs / total).toFixed(1)} ms of processor time a partition, beside ${(measured.baseline.cpuMs / total).toFixed(1)} ms an activity that does nothing: ${(cpuMs / measured.baseline.cpuMs).toFixed(2)} times as much, a
ratio that other work on the machine changes little. Two cores cannot do more than ${((2000 * total) / cpuMs).toFixed(0)} a second. In privatize the
three processes had ${share.toFixed(1)} cores; what is missing to two went to other work on the machine, or to the server's transactions on one
release, which wait for each other and for the disk.`;
}
