import { condition, isCancellation } from '@temporalio/workflow';
import { ERRORS } from '../contracts/errors.ts';
import { privateStages } from './activities.ts';
import { failureCode } from './failure-code.ts';
import { pollDelay } from './poll-delay.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer } from './update.ts';

/** How a wait ended: everything is there (or nothing was to be waited for), a person went on, or the time was over. */
export type WaitEnd = 'complete' | 'proceeded' | 'over';

/**
 * Waits until the window has its objects, as long as its series says, from the start of the release. A correction does
 * not wait: people start it when they know what has come. A source that cannot be asked for a while is asked again; a
 * cause that cannot get better by itself is left to ingest, which reports it.
 */
export async function waitForObjects(progress: ReleaseProgress): Promise<WaitEnd> {
  const { plan, correction } = progress;
  if (!plan.completeness || correction) return 'complete';
  const started = Date.now();
  const total = plan.completeness.waitHours * 3_600_000;
  const until = new Date(started + total).toISOString();
  let proceeds = false;
  offer(progress, 'proceed', () => {
    proceeds = true;
    return { accepted: true, state: progress.state };
  });
  try {
    for (;;) {
      const missing = await look(progress);
      if (missing?.total === 0) return 'complete';
      const elapsed = Date.now() - started;
      if (proceeds) return 'proceeded';
      if (elapsed >= total) return 'over';
      if (missing) progress.waitingFor = { ...missing, until };
      progress.enter('waiting-for-objects', 'ingest');
      await condition(() => proceeds, pollDelay(elapsed, total));
    }
  } finally {
    progress.waitingFor = null;
    if (progress.state === 'waiting-for-objects') progress.enter('running', 'ingest');
  }
}

/** What is missing; null when the source does not answer. */
async function look({ run }: ReleaseProgress) {
  try {
    return await privateStages.missingObjects(run);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return ERRORS[failureCode(error).code].retryable ? null : { names: [], total: 0 };
  }
}
