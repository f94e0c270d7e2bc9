import type { Run } from '../../contracts/stages.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { readGrounds } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { requirePublisher } from '../../services/release/publisher.ts';
import { headFile, headOf } from '../../services/series-pages/head-file.ts';
import { SERIES_FILES } from '../../services/series-pages/series-files.ts';
import { generationOfSeries, seriesPages } from '../../services/series-pages/series-pages.ts';
import { readSeriesReleases, type SeriesRelease } from '../../services/series-pages/series-release.ts';
import { writePages } from '../../services/series-pages/write-pages.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';

/** Another release may be published while pages are made: then they are made again. */
const ROUNDS = 20;

/**
 * Makes the pages of a series from its publications, and signs its head, which is written last. Only publications of a
 * publisher that the trust file names are in them. Throws TRUST_BEHIND when this worker's key is no publisher's.
 *
 * Safe to run twice: pages follow from write-once objects, and none is written over one of a later generation. Whoever
 * finds that something was published meanwhile makes them again, so that of several at once the last sees everything.
 *
 * @contract safe-to-retry
 */
export async function updatePages(context: PublicContext, run: Run): Promise<void> {
  const { publicationStore, publisherKey } = context;
  const grounds = await readGrounds(context, await readSeries(context.releaseStore, run));
  const { trust, ledger } = grounds;
  requirePublisher(grounds, publisherKey, tipOf(ledger).sequence);
  const read = () => readSeriesReleases(publicationStore, run.series, trust);
  const pagesOf = (of: readonly SeriesRelease[]) => seriesPages(run.series, of);
  const headPageOf = (of: readonly SeriesRelease[]) => {
    const head = headOf(run.series, of, pinOf(newestVersion(trust)));
    return new Map([[SERIES_FILES.head, jsonBytes(headFile(head, publisherKey))]]);
  };
  let releases = await read();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const make of [pagesOf, headPageOf])
      await writePages(publicationStore, run.series, make(releases), async () => make(await read()));
    const now = await read();
    if (generationOfSeries(now) === generationOfSeries(releases)) return;
    releases = now;
  }
}
