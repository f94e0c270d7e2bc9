import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isBackfillWorkflowId, RELEASE_MOVED, type ReleaseMoved, STILL_THERE } from '../contracts/backfill.ts';
import { RELEASE_STATE_TABLE, type ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseProgress } from './release-progress.ts';

/** States in which a release works no more by itself: it frees its slot in the back-fill. */
const freesSlot = (state: ReleaseState): boolean =>
  state === 'waiting' ||
  state === 'waiting-for-objects' ||
  state === 'partitions-failed' ||
  state === 'stalled' ||
  state === 'ending-stalled' ||
  RELEASE_STATE_TABLE[state].final;

/**
 * Tells the back-fill that started this release where it stands, until the release ends; a release that no back-fill
 * started tells nobody. The workflow waits for it before it completes, so that the last word is never lost.
 */
export async function tellBackfill(progress: ReleaseProgress): Promise<void> {
  const backfill = workflowInfo().parent?.workflowId;
  if (!backfill || !isBackfillWorkflowId(backfill)) return;
  setHandler(defineSignal(STILL_THERE), () => {}); // that it arrives is the answer
  await CancellationScope.nonCancellable(async () => {
    for (let told: ReleaseState = 'running'; !RELEASE_STATE_TABLE[told].final; ) {
      await condition(() => progress.state !== told && freesSlot(progress.state));
      told = progress.state;
      const moved: ReleaseMoved = { window: progress.run.window, state: told };
      // By its id alone, as it may have continued as new; and it may have ended, when nobody has to be told.
      await getExternalWorkflowHandle(backfill)
        .signal(RELEASE_MOVED, moved)
        .catch(() => {});
    }
  });
}
