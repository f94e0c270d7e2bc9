import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { privateStages, publicStages, readFailure } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { orStall, whateverTheCode } from './stall.ts';

/**
 * Publishes the approved bytes, makes the pages of the series, and says so in the ledger last: what the ledger has not
 * ended has something left to do, also when Temporal has lost it.
 */
export async function publishApproved(progress: ReleaseProgress, manifestDigest: string): Promise<void> {
  progress.enter('publishing', 'publish');
  const decisions = progress.decisions.map(({ digest }) => digest);
  const publishedAt = new Date().toISOString(); // the workflow's own clock: a retry says the same
  const { run, charge } = progress;
  const input = { ...run, manifestDigest, decisions, publishedAt };
  const { location, statement } = await orStall(progress, () => publicStages.publish(input));
  progress.location = location;
  // It is public by now: whatever keeps the ledger from saying so is mended, and never makes a failed release of it.
  await makeSeriesPages(progress);
  if (charge) await orStall(progress, () => privateStages.commit({ ...run, charge, statement }), whateverTheCode);
  progress.enter('published', 'publish');
}

/** The pages of the series follow from what is public by now. */
export async function makeSeriesPages(progress: ReleaseProgress): Promise<void> {
  await orStall(progress, () => publicStages.updatePages(progress.run), whateverTheCode);
}

/**
 * A charge whose draws may exist stays spent (C12); the ledger says that nothing was published for it. When it says
 * that the release was published, by another execution before Temporal was set back, the release is published.
 */
export async function withholdCharge(progress: ReleaseProgress): Promise<void> {
  const { run, charge, state } = progress;
  if (!charge) return;
  try {
    await orStall(progress, () => privateStages.withhold({ ...run, charge, reason: state }), unlessEnded);
  } catch (error) {
    const { code } = readFailure(error);
    if (code === 'ACTION_NOT_OFFERED') {
      progress.ending = null;
      progress.enter('published', 'publish');
    } else if (code !== 'NOT_CHARGED') throw error;
  }
}

/**
 * Somebody else has answered, instead of the private worker, that it was charged: then there is nothing to end.
 * Nor is there when it was published.
 */
const unlessEnded = (code: ErrorCode): boolean => code !== 'ACTION_NOT_OFFERED' && code !== 'NOT_CHARGED';

/** Ends a release that was cancelled, or that no retry can save: the workflow itself completes, with its state. */
export async function end(progress: ReleaseProgress, error: unknown): Promise<void> {
  if (!isCancellation(error)) progress.ending = readFailure(error);
  await CancellationScope.nonCancellable(async () => {
    if (progress.state !== 'cancelled') progress.enter(isCancellation(error) ? 'cancelled' : 'failed', progress.stage);
    await withholdCharge(progress);
  });
}
