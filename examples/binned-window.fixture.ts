import { ingest } from '../activities/private/ingest.ts';
import { FolderStore } from '../activities/stores/folder-store.ts';
import { applySeries } from '../client/series/apply-series.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import type { Partition } from '../contracts/names.ts';
import type { ObjectFault } from '../contracts/stages.ts';
import { windowDays } from '../core/calendar/window.ts';
import type { CellCount } from '../core/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../core/mechanisms/public-domain.ts';
import { privateTaps } from '../kinds/taps/private/private-kind.ts';
import { readPublicDomain } from '../kinds/taps/public-domain.ts';
import { type TapsSeries, tapsSeries } from '../kinds/taps/series.ts';
import { readCellRows } from '../test/support/cell-rows.ts';
import { privateContextBelow } from '../test/support/folder-contexts.ts';
import { POLICY_KEY, testPolicy } from '../test/support/test-custody.ts';
import { widePopulation } from '../test/support/test-trust.ts';

/** What one partition truly holds, and what it could hold. */
export type ExactPartition = { partition: Partition; counts: CellCount[]; domain: PublicDomain };

export type BinnedWindow = { series: TapsSeries; partitions: ExactPartition[]; faults: ObjectFault[] };

/**
 * One window of a series through the real ingest and bin, in stores below `root`: the exact counts that a release
 * never shows, for the data of the examples only, which are public or invented.
 */
export async function binWindow(
  root: string,
  seriesFile: string,
  source: string,
  window: string,
): Promise<BinnedWindow> {
  const loaded = await loadSeriesFile(seriesFile);
  const { digest } = loaded;
  const series = tapsSeries(loaded.series);
  const { unit, neighbours } = series.privacy;
  const people = widePopulation([series.source.store], { unit, neighbours });
  const policy = testPolicy({ populations: { [series.population]: people } });
  const context = privateContextBelow(root, { sourceStore: () => new FolderStore(source), memoryMiB: 1024, policy });
  await applySeries({ releaseStore: context.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);
  const run = { series: series.series, window, version: 1, seriesDigest: digest, round: 0 };
  const named = series.modes.flatMap((mode) => windowDays(series, window).map((day) => ({ part: mode, day })));
  const pinned = await ingest(context, run);
  const { faults } = await privateTaps.bin(context, { ...run, partitions: named }, loaded.series);
  const partitions: ExactPartition[] = [];
  for (const partition of named) {
    const counts = await readCellRows(context, run, 0, partition);
    partitions.push({ partition, counts, domain: await readPublicDomain(context.releaseStore, series, partition) });
  }
  return { series, partitions, faults: [...pinned.faults, ...faults] };
}
