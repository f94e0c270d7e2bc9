import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { startProcess } from '../../stack/child-process.ts';
import { partitionsOf } from './long-series.ts';
import type { Span } from './throughput-text.ts';
import type { trivialWorkflow } from './trivial.workflow.ts';

const WORKER = fileURLToPath(new URL('./trivial-worker.ts', import.meta.url));

type Time = { seconds?: unknown; nanos?: number | null } | null | undefined;

const milliseconds = (time: Time): number => Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;

/** From the first schedule of an activity type to its last completion, by the server's clock. Throws without one. */
export async function activitySpan(client: Client, workflowId: string, activity: string): Promise<Span> {
  const events = (await client.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
  const starts = events.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activity);
  const ids = new Set(starts.map(({ eventId }) => String(eventId)));
  const ends = events.filter((event) => ids.has(String(event.activityTaskCompletedEventAttributes?.scheduledEventId)));
  if (ends.length === 0) throw new Error(`${workflowId} has no ${activity}`);
  const [from, to] = [milliseconds(starts[0]!.eventTime), milliseconds(ends.at(-1)!.eventTime)];
  return { from, to, count: ends.length, events: events.length };
}

/** Runs as many activities that do nothing, `concurrency` of them at once, window after window, on the same server. */
export async function runBaseline(
  { temporal, address, logFile }: { temporal: Client; address: string; logFile: string },
  concurrency: number,
  windows: readonly string[],
): Promise<Span[]> {
  const start = (...words: string[]) => startProcess(process.execPath, [WORKER, address, ...words], logFile);
  const workers = await Promise.all([start('workflows'), start('activities', String(concurrency))]);
  try {
    const ready = await Promise.all(workers.map((worker) => worker.ready()));
    if (ready.includes(false)) throw new Error(`a worker of the baseline did not start: ${logFile}`);
    const spans: Span[] = [];
    for (const window of windows) {
      const run = { series: 'trivial', window, version: 1, seriesDigest: '0'.repeat(64), round: 0 };
      const charge = '00000000-0000-4000-8000-000000000000';
      const inputs = partitionsOf(window).map((partition) => ({ ...run, partition, charge }));
      const workflowId = `trivial/${window}`;
      const options = { taskQueue: 'trivial-workflows', workflowId, args: [inputs] as [typeof inputs] };
      await temporal.workflow.execute<typeof trivialWorkflow>('trivialWorkflow', options);
      spans.push(await activitySpan(temporal, workflowId, 'nothing'));
    }
    return spans;
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
