import { processUse } from './process-use.ts';

/** What was seen when n windows of a backfill had come to their gates. */
export type Sample = { windows: number; seconds: number; residentMiB: Record<string, number> };

/** What a whole backfill was seen to do. `events` and `bytes` are of the longest history of that kind. */
export type BackfillRecord = {
  windows: number;
  partitions: number;
  samples: Sample[];
  backfillRuns: number;
  backfillHistory: { events: number; bytes: number };
  releaseHistory: { events: number; bytes: number };
};

export function sampleOf(windows: number, since: number, pids: Record<string, number | undefined>): Sample {
  const residentMiB = Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, processUse(pid).residentMiB]),
  );
  return { windows, seconds: (performance.now() - since) / 1000, residentMiB };
}

/** The first sample with so large a part of the windows done. */
export const sampleAt = (samples: readonly Sample[], part: number): Sample =>
  samples.find(({ windows }) => windows >= part * samples.at(-1)!.windows)!;

/** Parts of the windows at which memory is shown: a tenth is past the start, when caches are filled. */
export const MOMENTS = { begin: 0.1, middle: 0.5, end: 1 };

/** Seconds a window took in a part of the backfill. */
export function secondsPerWindow(samples: readonly Sample[], from: number, to: number): number {
  const [first, last] = [sampleAt(samples, from), sampleAt(samples, to)];
  return (last.seconds - first.seconds) / Math.max(1, last.windows - first.windows);
}

/** The part of docs/performance.md. */
export function backfillText(record: BackfillRecord): string {
  const { windows, partitions, samples, backfillRuns, backfillHistory, releaseHistory } = record;
  const moments = Object.values(MOMENTS).map((part) => sampleAt(samples, part));
  const row = (name: string) =>
    `| ${name} | ${moments.map(({ residentMiB }) => residentMiB[name]!.toFixed(0)).join(' | ')} |`;
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1000).toLocaleString('en');
  const whole = samples.at(-1)!;
  return `${windows} windows of ${partitions} partitions in ${(whole.seconds / 60).toFixed(1)} minutes until the last one waits at its gate.

| resident memory, MiB | ${moments.map((sample) => `after ${sample.windows} windows`).join(' | ')} |
|---|--:|--:|--:|
${Object.keys(whole.residentMiB).map(row).join('\n')}

| history | longest: events | longest: kB |
|---|--:|--:|
| a release, at its gate | ${releaseHistory.events} | ${kilobytes(releaseHistory.bytes)} |
| the backfill, of ${backfillRuns} runs that continue as new | ${backfillHistory.events} | ${kilobytes(backfillHistory.bytes)} |

Seconds a window: ${secondsPerWindow(samples, 0, 0.5).toFixed(1)} in the first half, ${secondsPerWindow(samples, 0.5, 1).toFixed(1)} in the second.`;
}
