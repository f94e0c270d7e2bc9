import {
  ActivityCancellationType,
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  type RetryPolicy,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { type ActivityWork, PRIVATE_WORK, PUBLIC_WORK } from '../contracts/activity-work.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import { PRIORITY, QUEUES, type TASK_QUEUES } from '../contracts/names.ts';
import { limitsOf, mostAttempts, type StageLimits } from '../contracts/stage-limits.ts';
import type { Failure, PrivateActivities, PublicActivities } from '../contracts/stages.ts';

/** The server's name for an attempt that has used up its time; a server that does not know it repeats the attempt. */
const TIMED_OUT = 'TemporalTimeout:StartToClose';

const optionsOf = (limits: StageLimits, retry: RetryPolicy = {}): ActivityOptions => ({
  startToCloseTimeout: `${limits.minutes} minutes`,
  // Every activity beats twice a second (worker/guard.ts), so a killed worker is noticed within this time.
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: '1 second',
    maximumInterval: `${limits.pauseSeconds} seconds`,
    // Workers end earlier what fails (worker/guard.ts); this ends what takes its worker with it each time.
    maximumAttempts: mostAttempts(limits),
    ...retry,
  },
});

const paceOf = () => (workflowInfo().priority?.priorityKey === PRIORITY.patient ? 'patient' : 'usual');

const stagesOf = <Activities>(
  side: keyof typeof TASK_QUEUES,
  work: Readonly<Record<keyof Activities & string, ActivityWork>>,
  options: (limits: StageLimits) => ActivityOptions,
): Activities =>
  Object.fromEntries(
    Object.entries<ActivityWork>(work).map(([name, [, weight]]) => {
      const on = (pace: keyof typeof QUEUES) =>
        proxyActivities({ ...options(limitsOf(name)), taskQueue: QUEUES[pace][weight][side] })[name]!;
      const stages = { usual: on('usual'), patient: on('patient') };
      return [name, (...inputs: unknown[]) => stages[paceOf()](...inputs)];
    }),
  ) as Activities;

/** Stages of the private worker; contracts/stage-limits.ts says how long and how often. */
export const privateStages = stagesOf<PrivateActivities>('private', PRIVATE_WORK, (limits) => ({
  ...optionsOf(limits),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
}));

/** Stages of the public worker. */
export const publicStages = stagesOf<PublicActivities>('public', PUBLIC_WORK, (limits) =>
  optionsOf(limits, { nonRetryableErrorTypes: [TIMED_OUT] }),
);

/** Code and public message of what an activity threw: activities fail with a code of the table as their type. */
export function readFailure(error: unknown): Failure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type)
    return { code: cause.type as ErrorCode, message: cause.message };
  if (cause instanceof TimeoutFailure)
    return cause.timeoutType === 'HEARTBEAT'
      ? { code: 'WORKER_LOST', message: 'A worker stopped answering.' }
      : { code: 'STAGE_TIMED_OUT', message: 'An attempt used up the time that it has.' };
  return { code: 'UNEXPECTED', message: 'A stage failed for an unknown reason.' };
}

/** For a `catch`: the failure of an activity. Throws a cancellation on. */
export function catchFailure(error: unknown): Failure {
  if (isCancellation(error)) throw error;
  return readFailure(error);
}
