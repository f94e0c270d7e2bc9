import { type ReleaseReference, releasePath, sourceCheckWorkflowId, TASK_QUEUES } from '../../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import type { ReleaseStatus, Run, SourceChanges } from '../../contracts/stages.ts';
import { proposeCorrection } from '../../services/notices/correction-command.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** Asks the private worker what has changed in the source of a release since its ingest. Throws RELEASE_UNKNOWN. */
export async function checkSources(client: OpalineClient, release: ReleaseReference): Promise<SourceChanges> {
  const { seriesDigest } = await client.status(release);
  const { series, window, version } = release;
  const run: Run = { series, window, version, seriesDigest };
  return client.temporal.workflow.execute<(run: Run) => Promise<SourceChanges>>('sourceCheckWorkflow', {
    workflowId: sourceCheckWorkflowId(release),
    taskQueue: TASK_QUEUES.public,
    args: [run],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Sources of ${releasePath(release)}`,
  });
}

/**
 * When changed objects can be read, and the command that does it; people decide whether to give it (C13). Null when
 * nothing has changed: what is only missing still corrects nothing.
 */
export function changesCommand(
  release: Pick<ReleaseStatus, 'series' | 'window' | 'version' | 'state' | 'partitions'>,
  changes: SourceChanges,
): { when: string; command: string } | null {
  const objects = changes.changed.filter(({ change }) => change !== 'missing');
  if (objects.length === 0) return null;
  const atFault = new Set(release.partitions.filter(({ state }) => state === 'failed').map(({ object }) => object));
  if (release.state === 'partitions-failed' && objects.every(({ object }) => atFault.has(object)))
    return { when: 'A retry reads what is there now, at 0 ε', command: `opaline retry ${releasePath(release)}` };
  const isOver = RELEASE_STATE_TABLE[release.state].final;
  const when = `If the supplier says that it matters${isOver ? '' : ', once the release has ended'} (a new version, with a new charge)`;
  return { when, command: proposeCorrection(release, objects) };
}
