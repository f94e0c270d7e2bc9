import { newestFirst, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { Run } from '../../contracts/stages.ts';
import { reserves } from '../../core/ledger/budget.ts';
import { windowAt } from '../../services/calendar/schedule-times.ts';
import { listPublications } from '../../services/publication/published-releases.ts';
import { readGrounds } from '../../services/release/drawn-release.ts';
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
): Promise<Run & { earlier: Run[] }> {
  const { series, digest } = await readApplied(context.releaseStore, name);
  const run = { series: name, window: windowAt(series, scheduledAt), version: 1, seriesDigest: digest };
  // What cannot be read of them holds up no release.
  return { ...run, earlier: await newestPublications(context, series).catch(() => []) };
}

/** The source of this many windows is looked at again after publication: later than that suppliers correct little. */
const WINDOWS_LOOKED_AT = 8;

/** What is public of the newest windows, each in its newest version, under the series files that the ledger names. */
async function newestPublications(context: PublicContext, { series, population }: Series): Promise<Run[]> {
  const { ledger } = await readGrounds(context, { population });
  const digests = new Map(reserves(ledger.entries).map((one) => [one.release, one.series.digest]));
  const runs = (await listPublications(context.publicationStore, series)).flatMap(({ release, retracted }) => {
    const seriesDigest = digests.get(releasePath(release));
    return retracted || !seriesDigest ? [] : [{ ...release, seriesDigest }];
  });
  const windows = Map.groupBy(runs.sort(newestFirst), ({ window }) => window);
  return [...windows.values()].flatMap(([newest]) => newest ?? []).slice(0, WINDOWS_LOOKED_AT);
}
