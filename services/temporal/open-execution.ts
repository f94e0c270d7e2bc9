import { Client, Connection, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { parseReleasePath, type ReleaseReference, releaseWorkflowId } from '../../contracts/names.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { mapAtOnce } from '../at-once.ts';
import { connectionOptions } from './connection.ts';

/**
 * The first run of the workflow that is open under the id of a release; null: none is. The server has one at most, and
 * the first run stays the same when it is reset. Throws what the server throws.
 */
export async function openExecution({ workflow }: Client, release: ReleaseReference): Promise<string | null> {
  try {
    const { status, raw, runId } = await workflow.getHandle(releaseWorkflowId(release)).describe();
    return status.name === 'RUNNING' ? raw.workflowExecutionInfo?.firstRunId || runId : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Milliseconds that the server gets to connect, and to answer. */
const ANSWER_MS = 10_000;

/**
 * The same by a connection of its own, for a process that has none and asks once in a release at most. Throws
 * SERVER_UNAVAILABLE.
 */
export async function askOpenExecution(
  temporal: TemporalConfiguration,
  release: ReleaseReference,
): Promise<string | null> {
  const connection = await Connection.connect({
    ...(await connectionOptions(temporal)),
    connectTimeout: ANSWER_MS,
  }).catch(unavailable);
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    return await client.withDeadline(Date.now() + ANSWER_MS, () => openExecution(client, release));
  } catch (error) {
    if (error instanceof ServiceError) return unavailable();
    throw error;
  } finally {
    await connection.close();
  }
}

const unavailable = (): never => {
  throw new OpalineError(
    'SERVER_UNAVAILABLE',
    'Temporal was asked which execution runs the release, and does not answer.',
  );
};

const AT_ONCE = 16;

/** Of charges that nothing has ended those whose release no open workflow is of: `opaline resume` goes on with them. */
export async function orphanedCharges(client: Client, open: readonly Reserve[]): Promise<Reserve[]> {
  const orphaned = await mapAtOnce(open, AT_ONCE, async (reserve) => {
    const release = parseReleasePath(reserve.release);
    return release && (await openExecution(client, release)) === null ? [reserve] : [];
  });
  return orphaned.flat();
}
