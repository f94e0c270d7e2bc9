import { setTimeout as delay } from 'node:timers/promises';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { DECISION_REASONS } from '../../contracts/decision.ts';
import { nullOn, OpalineError } from '../../contracts/errors.ts';
import {
  type ReleaseReference,
  releasePath,
  retractWorkflowId,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
} from '../../contracts/names.ts';
import { whyNot } from '../../contracts/release-state.ts';
import type { Answer, PlainRequest, ReleaseStatus, Run } from '../../contracts/stages.ts';
import { auditedRelease } from '../../services/publication/audited-release.ts';
import { signDecision } from '../../services/signing/decision-statement.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { askDecision, askUpdate, on, statusOf } from '../workflow-calls.ts';
import { decisionBasis } from './decision-basis.ts';

const POLL_MS = 200;

export type RetractionRequest = {
  release: ReleaseReference;
  reason: (typeof DECISION_REASONS)['retract'][number];
  /** What everybody is told beside the reason, for ever. */
  sentence?: string | undefined;
  /** Free text; kept in the release store, never published. */
  note: string;
  /** Ed25519 key of an approver, PKCS#8 PEM. */
  privateKey: string;
};

/**
 * Asks for the retraction of a publication, or joins the one that waits at its gate, and signs it. Where the series
 * requires several approvers, each of them calls this. Throws SUBJECT_UNKNOWN, and RELEASE_UNKNOWN when no audit of such
 * a release is signed.
 */
export async function retractRelease(client: OpalineClient, request: RetractionRequest): Promise<Answer> {
  const { release, reason, sentence, note, privateKey } = request;
  const audited = await auditedRelease(client, release);
  if (!audited)
    throw new OpalineError('RELEASE_UNKNOWN', `There is no release ${releasePath(release)} that could be public.`);
  const { manifestDigest, manifest } = audited;
  const run = { ...release, seriesDigest: manifest.seriesDigest };
  const basis = await decisionBasis(client, run, privateKey);
  const status = await open(client, run);
  if (status.ending) return { accepted: false, ...status.ending };
  if (status.state === 'retracted')
    return { accepted: false, code: 'ACTION_NOT_OFFERED', message: `${releasePath(release)} is retracted already.` };
  const refusal = whyNot('approve', status.state);
  if (refusal) return { accepted: false, code: 'ACTION_NOT_OFFERED', message: refusal };
  const terms = { ...basis, decision: 'retract', reason, sentence, acknowledged: [] } as const;
  const envelope = signDecision({ release, manifestDigest, ...terms }, privateKey);
  return askDecision(handleOf(client, release), 'approve', { envelope, note });
}

/**
 * Ends a retraction that waits at its gate, so that the publication stays as it is; or begins the stage again that one
 * is stalled in; the request says who asks. Throws RELEASE_UNKNOWN.
 */
export async function askRetraction(
  client: OpalineClient,
  release: ReleaseReference,
  action: 'withdraw' | 'retryStage',
  request: PlainRequest,
): Promise<Answer> {
  const { state } = await retractionStatus(client, release);
  const refusal = whyNot(action, state);
  if (refusal) return { accepted: false, code: 'ACTION_NOT_OFFERED', message: refusal };
  return askUpdate(handleOf(client, release), action, request);
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

const handleOf = (
  client: OpalineClient,
  release: ReleaseReference,
): WorkflowHandle<(run: Run) => Promise<ReleaseStatus>> =>
  client.temporal.workflow.getHandle(retractWorkflowId(release));
