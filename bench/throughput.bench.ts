import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { backfillStatus, planBackfill, startBackfill } from '../client/schedule/backfills.ts';
import { applySeries } from '../client/series/apply-series.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { releaseWorkflowId } from '../contracts/names.ts';
import { addDays } from '../core/calendar/civil-day.ts';
import { startTestStack, type TestStack, usualDeployments } from '../test/support/test-stack.ts';
import { PATIENT_LIGHT_PLACES } from '../worker/stages/stage-lanes.ts';
import { writePerformance } from './measured-parts.ts';
import { inFolder, numberGiven, writePicture } from './measuring.ts';
import { activitySpan, runBaseline } from './throughput/baseline.ts';
import { fortnights, LONG_SERIES, writeLongSeries, writeLongTrips } from './throughput/long-series.ts';
import { processUse } from './throughput/process-use.ts';
import { curvePicture, type Measured, PICTURE_LABEL, rateOf, throughputText } from './throughput/throughput-text.ts';

/**
 * Partitions a second through privatize on the embedded stack: one backfill of 36 windows of 56 partitions, one window
 * after the other, and then as many activities that do nothing, on the same server. Run with
 * `node bench/throughput.bench.ts`, which takes about five minutes and writes its part of docs/performance.md; a number
 * of windows makes it shorter: `node bench/throughput.bench.ts 5`.
 */
const WHOLE = 36;
const windows = fortnights(numberGiven(0, WHOLE));

async function runBackfill(stack: TestStack): Promise<Omit<Measured, 'baseline'>> {
  const series = await writeLongSeries(join(stack.root, LONG_SERIES));
  await writeLongTrips(stack.source, windows);
  await applySeries(stack.client, await loadSeriesFile(series.file));
  const span = { from: windows[0]!, to: addDays(windows.at(-1)!, 13), atOnce: 1 };
  const uses = () =>
    Object.entries({ ...stack.workers(), server: stack.server() }).map(([name, pid]) => ({ name, ...processUse(pid) }));
  const [begin, before] = [performance.now(), uses()];
  const id = await startBackfill(stack.client, await planBackfill(stack.client, LONG_SERIES, span));
  while ((await backfillStatus(stack.client, id)).state !== 'done') await delay(1000);
  const seconds = (performance.now() - begin) / 1000;
  const processes = uses().map((use, place) => ({ ...use, cpuMs: use.cpuMs - before[place]!.cpuMs }));
  const backfill: Measured['backfill'] = [];
  for (const window of windows) {
    const workflowId = releaseWorkflowId({ series: LONG_SERIES, window, version: 1 });
    backfill.push(await activitySpan(stack.client.temporal, workflowId, 'privatize'));
  }
  return { backfill, seconds, processes };
}

/**
 * Scratch is in memory where the system has such a folder, as docs/operations.md advises: a file system without a
 * journal searches past every file that was deleted in the last minutes when it makes one, and ingest and bin delete a
 * hundred for each release.
 */
await inFolder(
  async (scratch) => {
    const stack = await startTestStack((root) => {
      const usual = usualDeployments(root);
      return {
        ...usual,
        private: { ...usual.private, scratch: join(scratch, 'private') },
        public: { ...usual.public, scratch: join(scratch, 'public') },
      };
    });
    try {
      const run = await runBackfill(stack);
      const server = { temporal: stack.client.temporal, address: stack.address, logFile: stack.files.log('baseline') };
      const measurement = { ...run, baseline: await runBaseline(server, PATIENT_LIGHT_PLACES, windows) };
      const isWhole = windows.length === WHOLE;
      const rate = (rateOf(measurement.baseline) / rateOf(measurement.backfill)).toFixed(2);
      writePerformance({ throughput: throughputText(measurement) }, { 'Partitions through privatize': rate }, isWhole);
      if (isWhole) await writePicture('throughput', PICTURE_LABEL, curvePicture(measurement));
    } finally {
      await stack.end();
    }
  },
  existsSync('/dev/shm') ? '/dev/shm' : tmpdir(),
);
