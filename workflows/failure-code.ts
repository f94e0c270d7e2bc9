import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';

/** Code and public message of what an activity threw: activities fail with a code of the table as their type. */
export function failureCode(error: unknown): { code: ErrorCode; message: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type)
    return { code: cause.type as ErrorCode, message: cause.message };
  if (cause instanceof TimeoutFailure)
    return cause.timeoutType === 'HEARTBEAT'
      ? { code: 'WORKER_LOST', message: 'A worker stopped answering.' }
      : { code: 'STAGE_TIMED_OUT', message: 'An attempt used up the time that it has.' };
  return { code: 'UNEXPECTED', message: 'A stage failed for an unknown reason.' };
}
