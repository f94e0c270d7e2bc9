import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bin } from '../activities/private/bin.ts';
import type { PrivateContext } from '../activities/private/context.ts';
import { ingest } from '../activities/private/ingest.ts';
import { FolderStore } from '../activities/stores/folder-store.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { type Partition, RELEASE_KEYS } from '../contracts/names.ts';
import type { ObjectFault } from '../contracts/stages.ts';
import { windowDays } from '../core/calendar/window.ts';
import type { CellCount } from '../core/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../core/mechanisms/public-domain.ts';
import { PRIVATE_KINDS } from '../kinds/private-kinds.ts';
import { readCells } from '../kinds/taps/private/cells.ts';
import { readPublicDomain } from '../kinds/taps/public-domain.ts';
import { type TapsSeries, tapsSeries } from '../kinds/taps/series.ts';
import { seededSource } from '../test/support/seeded-source.ts';

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
  const { series: stored, seriesBytes, digest, dictionaries } = await loadSeriesFile(seriesFile);
  const series = tapsSeries(stored);
  const context = privateContext(root, source);
  await context.releaseStore.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  for (const each of dictionaries) {
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(each.digest), each.bytes);
  }
  const run = { series: series.series, window, version: 1, seriesDigest: digest, round: 0 };
  const named = series.modes.flatMap((mode) => windowDays(series, window).map((day) => ({ part: mode, day })));
  const pinned = await ingest(context, run);
  const { faults } = await bin(context, { ...run, partitions: named });
  const partitions: ExactPartition[] = [];
  for (const partition of named) {
    const counts = await readCells(context, run, 0, partition);
    partitions.push({ partition, counts, domain: await readPublicDomain(context.releaseStore, series, partition) });
  }
  return { series, partitions, faults: [...pinned.faults, ...faults] };
}

const privateContext = (root: string, source: string): PrivateContext => ({
  sourceStore: () => new FolderStore(source),
  privateStore: new FolderStore(join(root, 'private')),
  releaseStore: new FolderStore(join(root, 'release')),
  scratch: join(root, 'scratch'),
  memoryMiB: 1024,
  random: seededSource(1),
  kinds: PRIVATE_KINDS,
  newId: randomUUID,
});
