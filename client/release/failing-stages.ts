import type { WorkflowExecutionDescription } from '@temporalio/client';
import { ERRORS, type ErrorCode } from '../../contracts/errors.ts';
import { limitsOf, patienceOf } from '../../contracts/stage-limits.ts';

export type FailingStage = ReturnType<typeof listFailingStages>[number];

/** The activities of a run that have failed and are tried again, as the server knows them. */
export const listFailingStages = ({ raw }: Pick<WorkflowExecutionDescription, 'raw'>) =>
  (raw.pendingActivities ?? []).flatMap(({ activityType, attempt, lastFailure }) => {
    const activity = activityType?.name;
    if (!activity || !attempt || attempt < 2) return [];
    const failure = lastFailure?.applicationFailureInfo;
    const code = failure ? errorCodeOf(failure.type) : 'WORKER_LOST';
    // Attempts that failed so far, of at most `attempts`, and the code of the last of them.
    return [{ activity, failed: attempt - 1, attempts: limitsOf(activity).attempts, code }];
  });

/** A worker of another build may give a code that this one does not have. */
export const errorCodeOf = (type: string | null | undefined): ErrorCode =>
  type && Object.hasOwn(ERRORS, type) ? (type as ErrorCode) : 'UNEXPECTED';

export function reportFailure({ activity, failed, attempts, code }: FailingStage): string {
  const minutes = patienceOf(activity, code);
  const end = minutes > 0 ? `for ${minutes} minutes at least` : `${attempts} times in all`;
  return `${activity} has failed ${failed === 1 ? 'once' : `${failed} times`}, the last time with ${code}; it is tried ${end}.`;
}
