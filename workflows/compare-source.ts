import { isCancellation } from '@temporalio/workflow';
import { privateStages } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';

/**
 * Notices objects that were replaced since ingest, so that approvers know it. It never stops a release: what cannot be
 * compared is not compared, and people decide about the rest (C13).
 */
export async function compareSource(progress: ReleaseProgress): Promise<void> {
  try {
    progress.sourceChanges = await privateStages.changedObjects(progress.run);
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
