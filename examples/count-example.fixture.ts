import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectFault } from '../contracts/stages.ts';
import { binWindow } from './binned-window.fixture.ts';

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
  const stores = join(root, window);
  const { series, partitions, faults } = await binWindow(stores, seriesFile, source, window);
  const taps = new Map<string, number>();
  const unknown = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, count: number) => map.set(key, (map.get(key) ?? 0) + count);
  for (const { partition, counts } of partitions) {
    for (const [tap, , location, count] of counts) {
      add(taps, `${partition.part} ${tap}`, count);
      if (location === series.bins.locations[partition.part]?.unknown) add(unknown, partition.part, count);
    }
  }
  const files = await readdir(join(stores, 'private', 'rejects'), { recursive: true }).catch(() => []);
  return { faults, taps, unknown, rejects: files.filter((file) => file.endsWith('.parquet')).length };
}
