import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { backfillStatus, planBackfill, startBackfill } from '../client/schedule/backfills.ts';
import { applySeries } from '../client/series/apply-series.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { releaseWorkflowId } from '../contracts/names.ts';
import { addDays } from '../core/calendar/civil-day.ts';
import { startTestStack, type TestStack, usualDeployments } from '../test/support/test-stack.ts';
import { readDeployment } from '../worker/deployment-file.ts';
import { activityPlaces } from '../worker/stages/stage-lanes.ts';
import { writePerformance } from './measured-parts.ts';
import { runBaseline } from './throughput/baseline.ts';
import { curvePlot } from './throughput/curve-plot.ts';
import { fortnights, LONG_SERIES, writeLongSeries, writeLongTrips } from './throughput/long-series.ts';
import { CpuClock, processUse } from './throughput/process-use.ts';
import { activitySpan, type Span } from './throughput/spans.ts';
import { type Measured, rateTable, throughputText, timesNothing } from './throughput/throughput-text.ts';

/**
 * Partitions a second through privatize on the embedded stack: one backfill of 36 windows of 56 partitions, one window
 * after the other, and then as many activities that do nothing, on the same server. Run with
 * `node bench/throughput.bench.ts`, which takes about five minutes and writes its part of docs/performance.md; a number
 * of windows makes it shorter: `node bench/throughput.bench.ts 5`.
 */
const WHOLE = 36;
const count = Number(process.argv[2] ?? WHOLE);
if (!Number.isSafeInteger(count) || count < 1) throw new TypeError('the number of windows is a positive integer');

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const pids = (stack: TestStack) => ({ ...stack.workers(), server: stack.server() });

async function runBackfill(stack: TestStack, windows: readonly string[]): Promise<Measured['backfill']> {
  const series = await writeLongSeries(join(stack.root, LONG_SERIES));
  await writeLongTrips(stack.source, windows);
  await applySeries(stack.client, await loadSeriesFile(series.file));
  const span = { from: windows[0]!, to: addDays(windows.at(-1)!, 13), atOnce: 1 };
  const clock = new CpuClock(() => pids(stack));
  const begin = performance.now();
  const id = await startBackfill(stack.client, await planBackfill(stack.client, LONG_SERIES, span));
  while ((await backfillStatus(stack.client, id)).state !== 'done') await delay(1000);
  const seconds = (performance.now() - begin) / 1000;
  clock.stop();
  const spans: Span[] = [];
  for (const window of windows) {
    const workflowId = releaseWorkflowId({ series: LONG_SERIES, window, version: 1 });
    spans.push(await activitySpan(stack.client.temporal, workflowId, 'privatize'));
  }
  const processes = Object.entries(pids(stack)).map(([name, pid]) => {
    return { name, cpuMs: clock.during(name, spans), residentMiB: processUse(pid).residentMiB };
  });
  return { spans, seconds, processes };
}

/**
 * Scratch lies in memory where the system has such a folder, as docs/operations.md advises: a file system without a
 * journal searches past every file that was deleted in the last minutes when it makes one, and ingest and bin delete a
 * hundred for each release.
 */
const scratch = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'opaline-scratch-'));
const stack = await startTestStack((root) => {
  const usual = usualDeployments(root);
  return {
    ...usual,
    private: { ...usual.private, scratch: join(scratch, 'private') },
    public: { ...usual.public, scratch: join(scratch, 'public') },
  };
});
try {
  const windows = fortnights(count);
  const backfill = await runBackfill(stack, windows);
  const { concurrency } = await readDeployment(stack.files.deployment('private'), privateDeploymentSchema);
  const baseline = await runBaseline({
    client: stack.client.temporal,
    address: stack.address,
    logFile: stack.files.log('baseline'),
    concurrency: activityPlaces(concurrency),
    windows,
    server: stack.server,
  });
  const measured: Measured = { backfill, baseline };
  console.log(rateTable(measured));
  await writeFile(file('../docs/pictures/throughput.svg'), await curvePlot(measured));
  await writePerformance(
    { throughput: throughputText(measured) },
    { 'Partitions through privatize': timesNothing(measured) },
  );
} finally {
  await stack.end();
  await rm(scratch, { recursive: true, force: true });
}
