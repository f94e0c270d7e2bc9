import { ActivityCancellationType, proxyActivities, type RetryPolicy } from '@temporalio/workflow';
import { TASK_QUEUES } from '../contracts/names.ts';
import { LEDGER_LIMITS, PRIVATE_LIMITS, PUBLIC_LIMITS, type StageLimits } from '../contracts/stage-limits.ts';
import type { PrivateActivities, PublicActivities } from '../contracts/stages.ts';

/** Every activity beats twice a second (worker/guard.ts), so a killed worker is noticed within this time. */
const heartbeatTimeout = '15 seconds';

/** The server's name for an attempt that has used up its time; a server that does not know it repeats the attempt. */
const TIMED_OUT = 'TemporalTimeout:StartToClose';

const policy = ({ attempts, pauseSeconds }: StageLimits): RetryPolicy => ({
  initialInterval: '1 second',
  maximumInterval: `${pauseSeconds} seconds`,
  maximumAttempts: attempts,
});

const privateStage = (limits: StageLimits) =>
  proxyActivities<PrivateActivities>({
    taskQueue: TASK_QUEUES.private,
    startToCloseTimeout: `${limits.minutes} minutes`,
    heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: policy(limits),
  });

/** Stages of the private worker; contracts/stage-limits.ts says how long and how often. */
export const privateStages = privateStage(PRIVATE_LIMITS);

/** Those of them that write the ledger. */
export const ledgerStages = privateStage(LEDGER_LIMITS.reserve);

const publicStage = (limits: StageLimits) =>
  proxyActivities<PublicActivities>({
    taskQueue: TASK_QUEUES.public,
    startToCloseTimeout: `${limits.minutes} minutes`,
    heartbeatTimeout,
    retry: { ...policy(limits), nonRetryableErrorTypes: [TIMED_OUT] },
  });

/** Stages of the public worker, each with limits of its own. */
export const publicStages: PublicActivities = Object.assign(
  {},
  ...Object.entries(PUBLIC_LIMITS).map(([name, limits]) => ({
    [name]: publicStage(limits)[name as keyof PublicActivities],
  })),
);
