import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Correction, Draw, Run } from '../../contracts/stages.ts';
import { putOnce, readBytes, sha256 } from '../stores/json-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * Carries privatized tables over from the version that is corrected, byte for byte: nothing is drawn, nothing charged.
 * Throws OBJECT_MISSING when the earlier version has no table for a partition that the correction does not name.
 *
 * Safe to run twice: the source is write-once, and the copy is put if absent.
 *
 * @contract C13
 * @contract safe-to-retry
 */
export async function carry(
  context: PublicContext,
  { correction, partitions, ...run }: Run & { correction: Correction; partitions: Partition[] },
): Promise<Draw[]> {
  const draws: Draw[] = [];
  for (const partition of partitions) {
    const earlier = RELEASE_KEYS.privatized({ ...run, version: correction.of }, partition);
    const bytes = await readBytes(context.releaseStore, earlier);
    const copy = await putOnce(context.releaseStore, RELEASE_KEYS.privatized(run, partition), bytes);
    if (!copy.equals(bytes))
      throw new OpalineError(
        'VERIFICATION_FAILED',
        `${partitionPath(partition)} of this version holds another table than version ${correction.of}; find out who wrote it.`,
      );
    draws.push({ partition, digest: sha256(bytes) });
  }
  return draws;
}
