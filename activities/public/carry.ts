import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Correction, Draw, Run } from '../../contracts/stages.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { requireCarriable } from '../../services/draws/require-receipts.ts';
import { readGrounds } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { putOnce, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

/**
 * Carries privatized tables over from the version that is corrected, byte for byte and each with the receipt of the
 * private worker that it has there: nothing is drawn, nothing charged. Throws OBJECT_MISSING when the earlier version has
 * no table for a partition that the correction does not name, and VERIFICATION_FAILED when its receipt does not hold.
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
  const { releaseStore } = context;
  const grounds = await readGrounds(context, await readSeries(releaseStore, run));
  const earlier = { ...run, version: correction.of };
  const putCopy = async (key: (release: Run, partition: Partition) => string, partition: Partition): Promise<void> => {
    const bytes = await readBytes(releaseStore, key(earlier, partition));
    const copy = await putOnce(releaseStore, key(run, partition), bytes);
    if (copy.equals(bytes)) return;
    throw new OpalineError(
      'VERIFICATION_FAILED',
      `${partitionPath(partition)} of this version holds another table than version ${correction.of}; find out who wrote it.`,
    );
  };
  return mapAtOnce(partitions, 1, async (partition) => {
    const digest = sha256(await readBytes(releaseStore, RELEASE_KEYS.privatized(earlier, partition)));
    const draw = { partition, digest };
    await requireCarriable(grounds, earlier, draw);
    await putCopy(RELEASE_KEYS.receipt, partition);
    await putCopy(RELEASE_KEYS.privatized, partition);
    return draw;
  });
}
