import type { Run } from '../../contracts/stages.ts';
import { windowAt } from '../../services/calendar/schedule-times.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readApplied } from '../../services/stores/series-objects.ts';

/**
 * The release that a start of a schedule makes: the newest window that was complete at the scheduled time, as version
 * 1, under the newest applied series file. Throws OBJECT_MISSING when the series was never applied.
 *
 * Safe to run twice: it writes nothing. A file that is applied between two runs changes the answer, not what runs: the
 * release has a fixed id, and starts once.
 *
 * @contract safe-to-retry
 */
export async function scheduledWindow(
  context: PublicContext,
  { series: name, scheduledAt }: { series: string; scheduledAt: string },
): Promise<Run> {
  const { series, digest } = await readApplied(context.releaseStore, name);
  return { series: name, window: windowAt(series, scheduledAt), version: 1, seriesDigest: digest };
}
