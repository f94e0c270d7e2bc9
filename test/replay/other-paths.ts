import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { checkSources } from '../../client/release/check-sources.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { askRetraction, retractionStatus } from '../../client/release/retract-release.ts';
import { askBackfill, backfillStatus, planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { applySchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { backfillWorkflowId } from '../../contracts/backfill.ts';
import {
  PRIVATE_KEYS,
  PUBLIC_KEYS,
  type ReleaseReference,
  releasePath,
  retractWorkflowId,
} from '../../contracts/names.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { block } from '../e2e/blocked-store.fixture.ts';
import { terminated } from '../e2e/terminated-release.fixture.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { weeks, writeWeeklySeries, writeWeeklyTrips } from '../support/weekly-series.ts';
import { ownSource, type Recording, releaseOf, smallOf } from './recording.ts';

/** One more than a run of backfillWorkflow starts, so that it continues as new once. */
const WINDOWS = weeks(6);

const retracted = (client: OpalineClient, { key: { privateKey } }: SmallSeries, release: ReleaseReference) =>
  decideRelease(client, { release, decision: 'retract', reason: 'data-wrong', note: 'a note', privateKey });

/** A way through each of the other workflows. */
export const OTHER_PATHS: Record<string, (recording: Recording) => Promise<void>> = {
  retracted: async (recording) => {
    const series = await smallOf(recording);
    const release = await releaseOf(recording, series);
    await release.at('waiting');
    await release.decide('approve');
    await release.at('published');
    const { run } = release;
    await retracted(recording.stack.client, series, run);
    await recording.record(recording.path, { workflowId: retractWorkflowId(run) }, true);
  },
  /** Where the pointer of its series belongs there is a folder. */
  'retraction-stalled': async (recording) => {
    const { stack, path, record } = recording;
    const series = await smallOf(recording);
    const release = await releaseOf(recording, series);
    await release.at('waiting');
    await release.decide('approve');
    await release.at('published');
    const { run } = release;
    const pointer = join(stack.files.publication, PUBLIC_KEYS.latest(run.series));
    await rename(pointer, `${pointer}-aside`);
    await mkdir(pointer);
    await retracted(stack.client, series, run);
    while ((await retractionStatus(stack.client, run)).state !== 'ending-stalled') await delay(200);
    await rmdir(pointer);
    await rename(`${pointer}-aside`, pointer);
    await askRetraction(stack.client, run, 'retryStage', { subject: 'test' });
    await record(path, { workflowId: retractWorkflowId(run) }, true);
  },
  'source-check': async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.deliver('2026-03-03');
    await checkSources(recording.stack.client, release.run);
    await recording.record(recording.path, { workflowId: `sources/${releasePath(release.run)}` }, true);
  },
  'backfill-cancelled': async (recording) => {
    const { stack, path, record } = recording;
    const id = await started(recording, 1);
    await askBackfill(stack.client, id, 'cancel');
    await record(path, { workflowId: backfillWorkflowId(id) }, true);
  },
  /**
   * Its first release is terminated while it is at work, because ingest cannot write; the others wait for people at
   * once. The run after the tenth start sees that it is no more.
   */
  'backfill-release-terminated': async (recording) => {
    const { stack, path, record } = recording;
    const release = { series: path, window: WINDOWS[0]!, version: 1 };
    await block(stack.files.store('private'), PRIVATE_KEYS.inventory(release, 0));
    const id = await started(recording, 2);
    await terminated(stack.client, release);
    while ((await backfillStatus(stack.client, id)).state !== 'done') await delay(200);
    const workflowId = backfillWorkflowId(id);
    const { runId } = await stack.client.temporal.workflow.getHandle(workflowId).describe();
    await record(path, { workflowId, runId }, true);
  },
  /** Only its first window has objects: the releases of the others wait for people at once. */
  backfill: async (recording) => {
    const { stack, path, record } = recording;
    const id = await started(recording, 3);
    const workflowId = backfillWorkflowId(id);
    const { runId } = await stack.client.temporal.workflow.getHandle(workflowId).describe();
    await askBackfill(stack.client, id, 'pause');
    await delay(1000);
    await askBackfill(stack.client, id, 'resume');
    while ((await backfillStatus(stack.client, id)).state !== 'done') await delay(200);
    await record(`${path}-continued-as-new`, { workflowId, runId }, false);
    await record(path, { workflowId }, true);
  },
  'scheduled-release': async (recording) => {
    const { stack, path, record } = recording;
    const { workflow, schedule } = stack.client.temporal;
    const series = await weekly(recording);
    await applySchedule(stack.client, await planSchedule(stack.client, series.file));
    // One Friday at 06:00 in Sydney.
    const friday = { start: new Date('2026-03-05T00:00:00Z'), end: new Date('2026-03-07T00:00:00Z') };
    await schedule.getHandle(scheduleId(path)).backfill({ ...friday, overlap: 'ALLOW_ALL' });
    for (;;) {
      for await (const { workflowId } of workflow.list({ query: "WorkflowType = 'scheduledReleaseWorkflow'" }))
        return record(path, { workflowId }, true);
      await delay(200);
    }
  },
};

/** A back-fill of all the windows, `atOnce` at a time; gives its id. */
async function started(recording: Recording, atOnce: number): Promise<string> {
  const { stack, path } = recording;
  const series = await weekly(recording);
  await applySeries(stack.client, await loadSeriesFile(series.file));
  const span = { from: WINDOWS[0]!, to: addDays(WINDOWS.at(-1)!, 6), atOnce };
  return startBackfill(stack.client, await planBackfill(stack.client, path, span));
}

async function weekly(recording: Recording) {
  const { stack, path, source } = recording;
  await writeWeeklyTrips(source, WINDOWS.slice(0, 1));
  const changes = { series: path, population: path };
  return writeWeeklySeries(join(stack.root, 'series', path), changes, undefined, ownSource(recording));
}
