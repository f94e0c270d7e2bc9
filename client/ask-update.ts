import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import { type Answer, type DecideRequest, READ_APPROVERS } from '../contracts/stages.ts';
import { sendUpdate } from './send-update.ts';

/** Sends an Update of a release. What its validator turns away is an answer too: `accepted: false`. */
export async function askUpdate(handle: WorkflowHandle, name: string, request?: object): Promise<Answer> {
  try {
    return await sendUpdate<Answer>(handle, name, request);
  } catch (error) {
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) throw error;
    const code = cause.type && cause.type in ERRORS ? (cause.type as ErrorCode) : 'UNEXPECTED';
    return { accepted: false, code, message: cause.message };
  }
}

/** Answers to somebody whom the gate does not know, or not by this key. */
const NOT_KNOWN: readonly ErrorCode[] = ['SUBJECT_UNKNOWN', 'SIGNATURE_INVALID'];

/**
 * Sends a signed decision to a gate. Approvers may have changed since the gate has read who they are: then it reads
 * them again, and the decision is sent once more.
 */
export async function askDecision(
  handle: WorkflowHandle,
  action: 'approve' | 'reject',
  request: DecideRequest,
): Promise<Answer> {
  const answer = await askUpdate(handle, action, request);
  if (answer.accepted || !NOT_KNOWN.includes(answer.code)) return answer;
  const read = await askUpdate(handle, READ_APPROVERS);
  if (!read.accepted) return { ...answer, message: `${answer.message} ${read.message}` };
  return askUpdate(handle, action, request);
}
