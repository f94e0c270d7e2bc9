import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  ServiceError,
  type Workflow,
  type WorkflowHandle,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  type NamespaceNotFoundError,
  WorkflowNotFoundError,
  type WorkflowResultType,
} from '@temporalio/common';
import { type ErrorCode, OpalineError } from '../contracts/errors.ts';
import { type ReleaseAction, type ReleaseState, whyNot } from '../contracts/release-state.ts';
import {
  type Answer,
  type DecideRequest,
  type Failure,
  READ_APPROVERS,
  type ReleaseUpdates,
} from '../contracts/stages.ts';
import { errorCodeOf } from './release/failing-stages.ts';

/** For a `catch`: what `instead` gives or throws replaces an error of this class; every other one is rethrown. */
export const on =
  <Thrown extends Error, T>(type: abstract new (...args: never[]) => Thrown, instead: (error: Thrown) => T) =>
  (error: unknown): T => {
    if (error instanceof type) return instead(error);
    throw error;
  };

/** What a workflow reports of itself: by a query while it runs, by its result afterwards. */
export async function statusOf<Run extends Workflow>(handle: WorkflowHandle<Run>): Promise<WorkflowResultType<Run>> {
  const { status } = await handle.describe();
  return status.name === 'RUNNING' ? handle.query('status') : handle.result();
}

/** The ids of the workflows that a query finds, each once: one that was put back has several runs. */
export async function listWorkflowIds({ workflow }: Client, query: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { workflowId } of workflow.list({ query })) ids.add(workflowId);
  return ids;
}

/** What a person hears when Temporal does not have the namespace of the deployment, as after a loss of its database. */
export const noNamespace = ({ namespace }: NamespaceNotFoundError): OpalineError =>
  new OpalineError(
    'SERVER_UNAVAILABLE',
    `Temporal has no namespace ${namespace}; \`opaline temporal setup\` makes it, and \`opaline doctor\` says what comes then.`,
  );

/** How long an answer is waited for before its absence is the answer: a killed worker is back within this time. */
const ANSWER_MS = 30_000;
const ASK_AGAIN_MS = 500;

/** Asks until somebody answers, or the client has left. Only for what has no effect when it is asked again. */
export async function untilAnswered<Given>(
  ask: () => Promise<Given>,
  hasLeft: () => boolean = () => false,
): Promise<Given> {
  const givenUpAt = Date.now() + ANSWER_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServiceError) || hasLeft() || Date.now() > givenUpAt) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
}

/**
 * Sends an Update to a workflow, and gives what it answers. The server forgets an Update that it has not written to the
 * history when the workflow moves on or a worker goes; then it is sent again under its own id, so that one that was
 * written takes effect once.
 */
export function sendUpdate<Given>(handle: WorkflowHandle, name: string, request?: object): Promise<Given> {
  const updateId = randomUUID();
  return untilAnswered(() => handle.executeUpdate<Given, [object | undefined]>(name, { args: [request], updateId }));
}

/** The answer to what is not taken. */
export const refuse = (code: ErrorCode, message: string): Failure & { accepted: false } => ({
  accepted: false,
  code,
  message,
});

/** When somebody else was quicker, and a workflow has ended since its state was read. */
const ENDED = refuse('ACTION_NOT_OFFERED', 'It has ended in the meantime; look again.');

/** Sends an Update of a release. What its validator turns away is an answer too: `accepted: false`. */
const askUpdate = (handle: WorkflowHandle, name: string, request?: object): Promise<Answer> =>
  sendUpdate<Answer>(handle, name, request)
    .catch(on(WorkflowNotFoundError, (): Answer => ENDED))
    .catch(
      on(WorkflowUpdateFailedError, (error): Answer => {
        const { cause } = error;
        if (!(cause instanceof ApplicationFailure)) throw error;
        return refuse(errorCodeOf(cause.type), cause.message);
      }),
    );

const isSigned = (action: ReleaseAction): action is SignedAction =>
  action === 'approve' || action === 'reject' || action === 'withdraw' || action === 'reopen';

/** Asks an action of a release, or of a retraction, in a state; one that the state does not offer is an answer too. */
export async function askOffered<Action extends ReleaseAction>(
  handle: WorkflowHandle,
  state: ReleaseState,
  action: Action,
  request: ReleaseUpdates[Action],
): Promise<Answer> {
  const refusal = whyNot(action, state);
  if (refusal) return refuse('ACTION_NOT_OFFERED', refusal);
  return isSigned(action) ? askDecision(handle, action, request as DecideRequest) : askUpdate(handle, action, request);
}

/** Answers to somebody whom the gate does not know, or not by this key. */
const NOT_KNOWN: readonly ErrorCode[] = ['SUBJECT_UNKNOWN', 'SIGNATURE_INVALID'];

/** What people ask of a gate with a signature. */
export type SignedAction = 'approve' | 'reject' | 'withdraw' | 'reopen';

/**
 * Sends a signed decision to a gate. Approvers may have changed since the gate has read who they are: then it reads
 * them again, and the decision is sent once more.
 */
async function askDecision(handle: WorkflowHandle, action: SignedAction, request: DecideRequest): Promise<Answer> {
  const answer = await askUpdate(handle, action, request);
  if (answer.accepted || !NOT_KNOWN.includes(answer.code)) return answer;
  const reply = await askUpdate(handle, READ_APPROVERS);
  if (!reply.accepted) return { ...answer, message: `${answer.message} ${reply.message}` };
  return askUpdate(handle, action, request);
}
