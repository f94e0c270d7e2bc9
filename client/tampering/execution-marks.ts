import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { parseReleaseWorkflowId, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { jsonOrNull, readBytesIfPresent } from '../../services/stores/json-objects.ts';
import type { Diagnosis } from '../diagnosis.ts';

/** A mark as `plan` writes it: the first run of the workflow, which stays the same when it is reset. */
const markSchema = z.strictObject({ execution: z.string() });

/**
 * Releases that Temporal knows to have been planned, and that have no mark of their execution, or the mark of another
 * one. Without it a second execution of the same release would not be noticed once Temporal has forgotten the first.
 */
export async function* markFindings(client: Client, store: ObjectStore): AsyncGenerator<Diagnosis> {
  for await (const { workflowId, runId, status } of client.workflow.list({
    query: "WorkflowType = 'releaseWorkflow'",
  })) {
    const release = parseReleaseWorkflowId(workflowId);
    if (!release || (status.name !== 'RUNNING' && status.name !== 'COMPLETED')) continue;
    const bytes = await readBytesIfPresent(store, RELEASE_KEYS.execution(release));
    const mark = bytes && markSchema.safeParse(jsonOrNull(bytes.toString('utf8'))).data;
    // Most releases are in their first run, and need no further question.
    if (mark?.execution === runId || !(await isPlanned(client, workflowId, runId))) continue;
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    const first = raw.workflowExecutionInfo?.firstRunId ?? runId;
    if (mark?.execution === first) continue;
    const what = bytes ? 'the mark of another execution' : 'no mark of its execution';
    yield {
      sentence: `${releasePath(release)} was started and has ${what}: somebody took it away, or wrote there; put back executions/${releasePath(release)}.json with {"execution":"${first}"}.`,
      command: `opaline show ${releasePath(release)}`,
    };
  }
}

/** Has the stage that writes the mark succeeded? A release that waits for a worker has none, nor one that ran before. */
async function isPlanned(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const planned = (events ?? []).find(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'plan',
  );
  return (events ?? []).some(
    ({ activityTaskCompletedEventAttributes: completed }) =>
      completed && planned && String(completed.scheduledEventId) === String(planned.eventId),
  );
}
