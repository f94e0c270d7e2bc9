import { randomUUID } from 'node:crypto';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import {
  type Partition,
  partitionPath,
  type ReleaseReference,
  releasePath,
  releaseWorkflowId,
} from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { retryCost, STAGE_RETRY_COST } from './explain-release.ts';
import { askRetraction } from './retract-release.ts';
import { statusWithRetraction } from './retractions.ts';

/**
 * Begins again what holds a release up: the stage that it is stalled in, its failed partitions (those that are named, or
 * all), the retraction of a publication that is stalled, or the gate of a release that is reported as published and is
 * not there. Gives what was begun again, what the release answered, and what it costs in plain words. Throws
 * RELEASE_UNKNOWN, and USAGE for partitions that are named while none of them is what it waits for.
 */
export async function retryRelease(
  client: OpalineClient,
  release: ReleaseReference,
  partitions: Partition[],
  subject: string,
): Promise<{ what: 'partitions' | 'stage' | 'retraction' | 'publication'; answer: Answer; cost: string[] }> {
  const status = await statusWithRetraction(client, release);
  const cost = [STAGE_RETRY_COST];
  if (status.retraction?.stall)
    return { what: 'retraction', answer: await askRetraction(client, release, 'retryStage', { subject }), cost };
  if (status.publication?.isThere === false) {
    await putBackToGate(client, release);
    return { what: 'publication', answer: { accepted: true, state: 'waiting' }, cost };
  }
  if (status.stall && partitions.length > 0)
    throw wrongUse(`${releasePath(release)} waits in a stage; leave --partition out.`);
  if (status.stall) return { what: 'stage', answer: await client.ask(release, 'retryStage', { subject }), cost };
  const paths = new Set(partitions.map(partitionPath));
  const failures = status.partitions.filter(({ state }) => state === 'failed');
  const again = failures.filter((one) => paths.size === 0 || paths.has(partitionPath(one)));
  return {
    what: 'partitions',
    answer: await client.ask(release, 'retryPartitions', { partitions, subject }),
    cost: retryCost(again),
  };
}

/**
 * Puts a workflow back to before its first approval. Temporal sends the approvals once more, so that a true worker checks
 * them, and publishes; what is public already it leaves as it is. A workflow that was resumed found its approvals in the
 * stores when its gate was opened: it goes back to before that, and finds them again.
 */
async function putBackToGate({ temporal }: OpalineClient, release: ReleaseReference): Promise<void> {
  const workflowId = releaseWorkflowId(release);
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const all = events ?? [];
  const approval = all.findIndex(
    ({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) =>
      accepted?.acceptedRequest?.input?.name === 'approve',
  );
  const gate = all.findIndex(({ activityTaskScheduledEventAttributes: one }) => one?.activityType?.name === 'openGate');
  // The task that accepted it is the one just before.
  const end = approval === -1 ? gate : approval - 1;
  const task = all.slice(0, Math.max(0, end)).findLast((one) => one.workflowTaskCompletedEventAttributes);
  if (!task?.eventId)
    throw new OpalineError('RELEASE_UNKNOWN', `Temporal has no gate of ${releasePath(release)}; retract it.`);
  await temporal.connection.workflowService.resetWorkflowExecution({
    namespace: temporal.options.namespace,
    workflowExecution: { workflowId },
    reason: 'said to be published, and not there',
    requestId: randomUUID(),
    workflowTaskFinishEventId: task.eventId,
  });
}
