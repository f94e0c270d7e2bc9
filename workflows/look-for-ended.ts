import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { type Backfill, STILL_THERE } from '../contracts/backfill.ts';
import { releaseWorkflowId } from '../contracts/names.ts';
import { markEndedOutside, windowsAtWork } from './backfill-progress.ts';

/**
 * Frees the slots of releases that were ended in Temporal from outside. Why a signal: the server refuses one to a
 * workflow that is no more, and nothing else tells a parent of a child that outlives it across continue-as-new.
 */
export async function lookForEnded(backfill: Backfill): Promise<void> {
  const { series } = backfill;
  await Promise.all(
    windowsAtWork(backfill).map(async (window) => {
      const release = getExternalWorkflowHandle(releaseWorkflowId({ series, window, version: 1 }));
      try {
        await release.signal(STILL_THERE);
      } catch {
        // The only refusal there is: no open workflow has this id.
        markEndedOutside(backfill, window);
      }
    }),
  );
}
