import { condition } from '@temporalio/workflow';
import { ERRORS } from '../contracts/errors.ts';
import { catchFailure, privateStages } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer } from './requests.ts';

/** How a wait ended: everything is there (or nothing was to be waited for), a person went on, or the time was over. */
type WaitEnd = 'complete' | 'proceeded' | 'over';

/**
 * Waits until the window has its objects, as long as its series says, from the start of the release. A correction does
 * not wait: people start it when they know what has come; nor does what was charged before, as its source was read. A
 * source that cannot be asked for a while is asked again; a
 * cause that cannot get better by itself is left to ingest, which reports it.
 */
export async function waitForObjects(progress: ReleaseProgress): Promise<WaitEnd> {
  const { plan, correction, run } = progress;
  if (!plan.completeness || correction || plan.charge) return 'complete';
  const start = Date.now();
  const total = plan.completeness.waitHours * 3_600_000;
  const until = new Date(start + total).toISOString();
  let proceeds = false;
  offer(progress, 'proceed', () => {
    proceeds = true;
    return progress.accepted();
  });
  try {
    for (;;) {
      const gaps = await privateStages.missingObjects(run).catch(catchFailure);
      const isUnknown = 'code' in gaps;
      if (isUnknown ? !ERRORS[gaps.code].retryable : gaps.total === 0) return 'complete';
      const wait = Date.now() - start;
      if (proceeds) return 'proceeded';
      if (wait >= total) return 'over';
      if (!isUnknown) progress.waitingFor = { ...gaps, until };
      progress.enter('waiting-for-objects', 'ingest');
      await condition(() => proceeds, pollDelay(wait, total));
    }
  } finally {
    progress.waitingFor = null;
    if (progress.state === 'waiting-for-objects') progress.enter('running', 'ingest');
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Milliseconds until the next look at the source. It grows with the time that has passed, so that an object is noticed
 * within about a tenth of the time that it was late, or within a quarter of an hour (longer in waits of more than half a
 * day). A wait of any length takes at most 150 looks, so that its history stays short.
 */
export function pollDelay(wait: number, total: number): number {
  const shortest = Math.min(Math.max(total / 50, SECOND), MINUTE);
  const longest = Math.max(15 * MINUTE, total / 50);
  const delay = Math.min(Math.max(wait / 10, shortest), longest);
  return Math.max(Math.min(delay, total - wait), 1);
}
