import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { PrivateActivities, PublicActivities } from '../contracts/stages.ts';

// Literal task queues: contracts/names.ts would do, but a proxy is made when the bundle loads, before anything runs.
const PRIVATE = 'opaline-private';
const PUBLIC = 'opaline-public';

/** Every activity beats every three seconds (activities/guard.ts), so a killed worker is noticed within this time. */
const heartbeatTimeout = '15 seconds';

/**
 * Stages of the private worker. Five attempts outlast a store that restarts; after that a person looks, because the
 * partitions are marked as failed and nothing is lost.
 */
export const privateStages = proxyActivities<PrivateActivities>({
  taskQueue: PRIVATE,
  startToCloseTimeout: '6 hours', // a month of a large city on a slow disk; the heartbeat finds the dead earlier
  heartbeatTimeout,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
});

/**
 * Stages of the public worker. No limit of attempts: they are pure functions of released bytes and a release that has
 * been paid for is worth waiting for; what cannot get better by itself is marked as not retryable by its error code.
 */
export const publicStages = proxyActivities<PublicActivities>({
  taskQueue: PUBLIC,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout,
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});
