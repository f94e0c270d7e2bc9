import type { Client } from '@temporalio/client';
import { parseReleaseWorkflowId, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { executionMark, readExecutions } from '../../services/stores/release-executions.ts';
import type { Diagnosis } from '../diagnosis.ts';

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
    const marks = await readExecutions(store, release);
    const isMarked = (execution: string) => marks.some(({ bytes }) => bytes.equals(executionMark(execution)));
    // Most releases are in their first run, and need no further question.
    if (isMarked(runId) || !(await isPlanned(client, workflowId, runId))) continue;
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    const first = raw.workflowExecutionInfo?.firstRunId ?? runId;
    if (isMarked(first)) continue;
    const what = marks.length > 0 ? 'the mark of another execution' : 'no mark of its execution';
    const key = RELEASE_KEYS.execution(release, (marks.at(-1)?.number ?? 0) + 1);
    yield {
      sentence: `${releasePath(release)} was started and has ${what}: somebody took it away, or wrote there; put ${key} there with {"execution":"${first}"}.`,
      command: `opaline show ${releasePath(release)}`,
    };
  }
}

/** Has the stage that writes the mark succeeded? A release that waits for a worker has none, nor one that ran before. */
async function isPlanned(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const event = (events ?? []).find(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'plan',
  );
  return (events ?? []).some(
    ({ activityTaskCompletedEventAttributes: completed }) =>
      completed && event && String(completed.scheduledEventId) === String(event.eventId),
  );
}
