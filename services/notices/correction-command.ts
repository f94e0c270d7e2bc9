import { type Partition, partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ChangedObject } from '../../contracts/notices.ts';
import type { Correction } from '../../contracts/stages.ts';

/** The command that orders and starts a correction. */
export const correctionCommand = (
  release: ReleaseReference,
  partitions: readonly Partition[],
  reason: Correction['reason'],
): string =>
  `opaline correct ${releasePath(release)} --partition ${partitions.map(partitionPath).join(' ')} --reason ${reason} --key KEY.pem`;

/** The correction that changed objects propose: of all partitions that their names can feed (C13). */
export function proposeCorrection(release: ReleaseReference, objects: readonly ChangedObject[]): string {
  const byPath = new Map(objects.flatMap(({ partitions }) => partitions).map((one) => [partitionPath(one), one]));
  const partitions = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const late = objects.every(({ change }) => change === 'new');
  return correctionCommand(release, partitions, late ? 'object-late' : 'object-corrected');
}
