import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { nullOn, OpalineError } from '../../contracts/errors.ts';
import {
  type ReleaseReference,
  releasePath,
  retractWorkflowId,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
} from '../../contracts/names.ts';
import type { Answer, DecideRequest, ReleaseStatus, ReleaseUpdates, Run } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { askOffered, on, refuse, type SignedAction, statusOf } from '../workflow-calls.ts';

const POLL_MS = 200;

/**
 * Asks for the retraction of a publication, or joins the one that waits at its gate, and hands a decision in. Where the
 * series requires several approvers, each of them calls this. Throws RELEASE_UNKNOWN.
 */
export async function sendRetraction(client: OpalineClient, run: Run, request: DecideRequest): Promise<Answer> {
  const status = await open(client, run);
  if (status.ending) return { accepted: false, ...status.ending };
  if (status.state === 'retracted') return refuse('ACTION_NOT_OFFERED', `${releasePath(run)} is retracted already.`);
  return askOffered(handleOf(client, run), status.state, 'approve', request);
}

/**
 * Asks an action of a retraction: such as to withdraw it, so that the publication stays as it is, or to begin the stage
 * again that it is stalled in. Throws RELEASE_UNKNOWN.
 */
export async function askRetraction<Action extends SignedAction | 'retryStage'>(
  client: OpalineClient,
  release: ReleaseReference,
  action: Action,
  request: ReleaseUpdates[Action],
): Promise<Answer> {
  const { state } = await retractionStatus(client, release);
  return askOffered(handleOf(client, release), state, action, request);
}

/** The status of the newest retraction of a release. Throws RELEASE_UNKNOWN when there was none. */
export const retractionStatus = (client: OpalineClient, release: ReleaseReference): Promise<ReleaseStatus> =>
  statusOf(handleOf(client, release)).catch(
    on(WorkflowNotFoundError, () => {
      throw new OpalineError('RELEASE_UNKNOWN', `Nobody has asked to retract ${releasePath(release)}.`);
    }),
  );

/** Starts the retraction, or finds the one that is done or at work, and waits until it is at its gate or over. */
async function open(client: OpalineClient, run: Run): Promise<ReleaseStatus> {
  const earlier = await retractionStatus(client, run).catch(nullOn('RELEASE_UNKNOWN'));
  if (earlier?.state === 'retracted') return earlier;
  await client.temporal.workflow.start('retractWorkflow', {
    workflowId: retractWorkflowId(run),
    taskQueue: TASK_QUEUES.public,
    args: [run],
    workflowIdConflictPolicy: 'USE_EXISTING',
    searchAttributes: { [SEARCH_ATTRIBUTES.series]: [run.series], [SEARCH_ATTRIBUTES.window]: [run.window] },
    staticSummary: `Retraction of ${releasePath(run)}`,
  });
  for (;;) {
    const status = await retractionStatus(client, run);
    if (status.state !== 'running') return status;
    await delay(POLL_MS);
  }
}

const handleOf = (client: OpalineClient, release: ReleaseReference) =>
  client.temporal.workflow.getHandle<(run: Run) => Promise<ReleaseStatus>>(retractWorkflowId(release));
