import type { WorkflowService } from '@temporalio/client';
import { OpalineError } from '../../contracts/errors.ts';
import { parseReleasePath, type ReleaseReference, releaseWorkflowId } from '../../contracts/names.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { mapAtOnce } from '../at-once.ts';
import { nullWhenNotFound } from './connection.ts';

/** Where Temporal is asked. */
export type TemporalNamespace = { workflowService: WorkflowService; namespace: string };

const RUNNING = 1;

/**
 * The first run of the workflow that is open under the id of a release; null: none is. The server has one at most, and
 * the first run stays the same when it is reset. Throws SERVER_UNAVAILABLE.
 */
export async function openExecution(
  { workflowService, namespace }: TemporalNamespace,
  release: ReleaseReference,
): Promise<string | null> {
  const execution = { workflowId: releaseWorkflowId(release) };
  const call = workflowService.describeWorkflowExecution({ namespace, execution }).catch(nullWhenNotFound);
  const answer = await call.catch(() => {
    throw new OpalineError('SERVER_UNAVAILABLE', 'Temporal does not say which execution runs the release.');
  });
  const info = answer?.workflowExecutionInfo;
  return info?.status === RUNNING ? info.firstRunId || info.execution?.runId || null : null;
}

const AT_ONCE = 16;

/** Of charges that nothing has ended those whose release no open workflow is of: `opaline resume` goes on with them. */
export async function findOrphans(temporal: TemporalNamespace, open: readonly Reserve[]): Promise<Reserve[]> {
  const orphans = await mapAtOnce(open, AT_ONCE, async (reserve) => {
    const release = parseReleasePath(reserve.release);
    return release && (await openExecution(temporal, release)) === null ? [reserve] : [];
  });
  return orphans.flat();
}
