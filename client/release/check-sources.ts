import { partitionPath, type ReleaseReference, releasePath, TASK_QUEUES } from '../../contracts/names.ts';
import type { Run, SourceChanges } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** Asks the private worker what has changed in the source of a release since its ingest. Throws RELEASE_UNKNOWN. */
export async function checkSources(client: OpalineClient, release: ReleaseReference): Promise<SourceChanges> {
  const { seriesDigest } = await client.status(release);
  const { series, window, version } = release;
  const run: Run = { series, window, version, seriesDigest };
  return client.temporal.workflow.execute<(run: Run) => Promise<SourceChanges>>('sourceCheckWorkflow', {
    workflowId: `sources/${releasePath(release)}`,
    taskQueue: TASK_QUEUES.public,
    args: [run],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Sources of ${releasePath(release)}`,
  });
}

/**
 * The command that corrects what the changed objects may feed; people decide whether to give it (C13). Null when nothing
 * has changed: what is only missing still corrects nothing.
 */
export function correctionCommand(release: ReleaseReference, changes: SourceChanges): string | null {
  const changed = changes.changed.filter(({ change }) => change !== 'missing');
  if (changed.length === 0) return null;
  const paths = [...new Set(changed.flatMap(({ partitions }) => partitions.map(partitionPath)))].sort();
  const late = changed.every(({ change }) => change === 'new');
  const reason = late ? 'object-late' : 'object-corrected';
  return `opaline correct ${releasePath(release)} --partition ${paths.join(' ')} --reason ${reason}`;
}
