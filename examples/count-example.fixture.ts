import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bin } from '../activities/private/bin.ts';
import { readCells } from '../activities/private/cells.ts';
import type { PrivateContext } from '../activities/private/context.ts';
import { ingest } from '../activities/private/ingest.ts';
import { FolderStore } from '../activities/stores/folder-store.ts';
import { loadSeriesFile } from '../client/series-file.ts';
import { RELEASE_KEYS } from '../contracts/names.ts';
import type { ObjectFault } from '../contracts/stages.ts';
import { windowDays } from '../core/calendar/window.ts';
import { seededSource } from '../core/random/seeded-source.ts';

/** What an example's window holds on the custodian side: taps by `mode on` or `mode off`. */
export type ExampleCounts = {
  faults: ObjectFault[];
  taps: Map<string, number>;
  /** Taps at the unknown location, by mode. */
  unknown: Map<string, number>;
  /** Objects with a list of rejects. */
  rejects: number;
};

/** Runs one window of an example through ingest and bin, in stores below `root`, and adds up its cells. */
export async function countExample(
  root: string,
  seriesFile: string,
  source: string,
  window: string,
): Promise<ExampleCounts> {
  const { series, seriesBytes, digest, dictionaries } = await loadSeriesFile(seriesFile);
  const stores = join(root, window);
  const context: PrivateContext = {
    sourceStore: () => new FolderStore(source),
    privateStore: new FolderStore(join(stores, 'private')),
    releaseStore: new FolderStore(join(stores, 'release')),
    scratch: join(stores, 'scratch'),
    memoryMiB: 1024,
    random: seededSource(1),
    newId: randomUUID,
    heartbeat: () => undefined,
  };
  await context.releaseStore.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  for (const each of dictionaries) {
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(each.digest), each.bytes);
  }
  const run = { series: series.series, window, version: 1, seriesDigest: digest, round: 0 };
  const partitions = series.modes.flatMap((mode) => windowDays(series, window).map((day) => ({ mode, day })));
  const pinned = await ingest(context, run);
  const { faults } = await bin(context, { ...run, partitions });
  const taps = new Map<string, number>();
  const unknown = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, count: number) => map.set(key, (map.get(key) ?? 0) + count);
  for (const partition of partitions) {
    for (const [tap, , location, count] of await readCells(context, run, 0, partition)) {
      add(taps, `${partition.mode} ${tap}`, count);
      if (location === series.bins.locations[partition.mode]?.unknown) add(unknown, partition.mode, count);
    }
  }
  const kept = await readdir(join(stores, 'private', 'rejects'), { recursive: true }).catch(() => []);
  return {
    faults: [...pinned.faults, ...faults],
    taps,
    unknown,
    rejects: kept.filter((file) => file.endsWith('.parquet')).length,
  };
}
