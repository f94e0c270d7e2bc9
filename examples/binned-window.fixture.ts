import { loadSeriesFile } from '../client/series/series-file.ts';
import type { Partition } from '../contracts/names.ts';
import type { ObjectFault } from '../contracts/stages.ts';
import type { CellCount } from '../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../counts/mechanisms/public-domain.ts';
import { type TapsSeries, tapsSeries } from '../kinds/taps/series.ts';
import { readPublicDomain } from '../kinds/taps/taps-domain.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { readCellRows } from '../test/support/cell-rows.ts';
import { ReleaseBench } from '../test/support/release-bench.ts';
import { testPolicy } from '../test/support/test-custody.ts';
import { widePopulation } from '../test/support/test-trust.ts';

/** What one partition truly holds, and what it could hold. */
export type ExactPartition = { partition: Partition; counts: CellCount[]; domain: PublicDomain };

export type BinnedWindow = {
  series: TapsSeries;
  partitions: ExactPartition[];
  faults: ObjectFault[];
  /** Where it was binned, for whoever goes on. */
  bench: ReleaseBench;
};

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
  const file = await loadSeriesFile(seriesFile);
  const series = tapsSeries(file.series);
  const { unit, neighbours } = series.privacy;
  const people = widePopulation([series.source.store], { unit, neighbours });
  const policy = testPolicy({ populations: { [series.population]: people } });
  const own = { sourceStore: () => new FolderStore(source), memoryMiB: 1024, policy };
  const bench = await new ReleaseBench(root, file, window, own).prepared();
  const context = bench.contexts().private;
  const { faults } = await bench.through('bin', context);
  const partitions: ExactPartition[] = [];
  for (const partition of bench.partitions) {
    const counts = await readCellRows(context, bench.run(), 0, partition);
    partitions.push({ partition, counts, domain: await readPublicDomain(context.releaseStore, series, partition) });
  }
  return { series, partitions, faults, bench };
}
