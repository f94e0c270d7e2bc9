import { isCancellation, patched } from '@temporalio/workflow';
import { withParts } from '../contracts/generation-1.ts';
import { privateStages } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';

/**
 * Notices objects that were replaced since ingest, so that approvers know it. It never stops a release: what cannot be
 * compared is not compared, and people decide about the rest (C13).
 */
export async function compareSource(progress: ReleaseProgress): Promise<void> {
  if (!patched('compare-source')) return;
  try {
    progress.sourceChanges = withParts(await privateStages.changedObjects(progress.run));
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
