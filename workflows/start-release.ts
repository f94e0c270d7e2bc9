import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { releasePath, releaseWorkflowId, SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import type { ReleaseInput, Run } from '../contracts/stages.ts';

/**
 * Starts a release under its fixed id, as a child that outlives its parent. False when the id has run before: a manual
 * and a scheduled run of one window are one release.
 */
export async function startChildRelease(run: Run): Promise<boolean> {
  const input: ReleaseInput = { ...run, correction: null };
  try {
    await startChild('releaseWorkflow', {
      workflowId: releaseWorkflowId(run),
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      searchAttributes: {
        [SEARCH_ATTRIBUTES.series]: [run.series],
        [SEARCH_ATTRIBUTES.window]: [run.window],
        [SEARCH_ATTRIBUTES.state]: ['running'],
      },
      staticSummary: `Release ${releasePath(run)}`,
    });
    return true;
  } catch (error) {
    // By its name: the SDK's package for workflows does not export the class.
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return false;
    throw error;
  }
}
