import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import type { PrivatizeInput } from '../../contracts/stages.ts';
import { ChildProcess } from '../../stack/child-process.ts';
import { partitionsOf } from './long-series.ts';
import { CpuClock } from './process-use.ts';
import { activitySpan, type Span } from './spans.ts';
import type { trivialWorkflow } from './trivial.workflow.ts';

const WORKER = fileURLToPath(new URL('./trivial-worker.ts', import.meta.url));

export type BaselineOptions = {
  client: Client;
  address: string;
  logFile: string;
  /** Activities that the worker runs at once. */
  concurrency: number;
  windows: readonly string[];
  /** Process id of the server now. */
  server: () => number | undefined;
};

/** What the activities that do nothing took: spans by window, and processor time of workers and server in them, in ms. */
export type Baseline = { spans: Span[]; cpuMs: number };

/** Runs as many activities that do nothing, window after window, on the same server. */
export async function runBaseline(options: BaselineOptions): Promise<Baseline> {
  const { client, address, logFile, concurrency, windows, server } = options;
  const workers = await Promise.all([
    ChildProcess.start(process.execPath, [WORKER, address, 'workflows'], logFile),
    ChildProcess.start(process.execPath, [WORKER, address, 'activities', String(concurrency)], logFile),
  ]);
  const clock = new CpuClock(() => ({ workflows: workers[0].pid, activities: workers[1].pid, server: server() }));
  try {
    const ready = await Promise.all(workers.map((worker) => worker.ready()));
    if (ready.includes(false)) throw new Error(`a worker of the baseline did not start: ${logFile}`);
    const spans: Span[] = [];
    for (const window of windows) {
      const inputs = partitionsOf(window).map(
        (partition): PrivatizeInput => ({
          series: 'trivial',
          window,
          version: 1,
          seriesDigest: '0'.repeat(64),
          round: 0,
          partition,
          charge: '00000000-0000-4000-8000-000000000000',
        }),
      );
      const workflowId = `trivial/${window}`;
      await client.workflow.execute<typeof trivialWorkflow>('trivialWorkflow', {
        taskQueue: 'trivial-workflows',
        workflowId,
        args: [inputs],
      });
      spans.push(await activitySpan(client, workflowId, 'nothing'));
    }
    const cpuMs = ['workflows', 'activities', 'server'].map((name) => clock.during(name, spans));
    return { spans, cpuMs: cpuMs.reduce((sum, one) => sum + one, 0) };
  } finally {
    clock.stop();
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
