import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../contracts/names.ts';
import type { PrivateActivities } from '../../contracts/stages.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readCells } from '../../kinds/taps/private/cells.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { certificateOf } from '../../kinds/taps/taps-certificate.ts';
import { readPublicDomain } from '../../kinds/taps/taps-domain.ts';
import { readCellRows } from '../support/cell-rows.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { openSmallRelease, SMALL_DAYS, SMALL_MODES, smallTrips, writeTrips } from '../support/small-series.ts';
import { type NoiseByKey, noiseOf, replayedSource } from './replayed-noise.ts';

/** One of two histories of the city: what the supplier delivers, and what the dice show. */
export type World = {
  /** Text of the object of one partition; the small series' own when undefined. */
  trips?: (partition: Partition) => string | undefined;
  /** All objects of a supplier who writes other files, by key; then `trips` is not asked. */
  objects?: ReadonlyMap<string, Uint8Array>;
  /** Added to the noise of a key in a partition: `bus/2026-03-02` → `cell on 08:00 2000` → −1. */
  noise?: Record<string, Record<string, number>>;
};

export async function deliver(release: ReleaseBench, { trips, objects }: World): Promise<void> {
  for (const [key, bytes] of objects ?? []) await release.deliver(key, bytes);
  if (objects) return;
  for (const day of SMALL_DAYS)
    for (const mode of SMALL_MODES)
      await writeTrips(release.folder('source'), day, mode, trips?.({ part: mode, day }) ?? smallTrips(day, mode));
}

const worldNoise =
  ({ noise }: World, partition: string): NoiseByKey =>
  (kind, key) =>
    noiseOf(partition)(kind, key) + (noise?.[partition]?.[`${kind} ${key}`] ?? 0);

/**
 * The activities of the private worker, with the dice of a world: privatize draws from bits that make the sampler of
 * production show them. Nothing else is replaced.
 */
export function activitiesOf(release: ReleaseBench, context: PrivateContext, world: World): PrivateActivities {
  const series = tapsSeries(release.loaded.series);
  return {
    ...createPrivateActivities({ ...context, random: seededSource(1) }),
    privatize: async (input) => {
      const { round } = input;
      const [partition] = input.partitions as [Partition];
      const counts = await readCellRows(context, input, round, partition);
      const domain = await readPublicDomain(context.releaseStore, series, partition);
      const noise = worldNoise(world, partitionPath(partition));
      const random = replayedSource(noise, counts, domain, certificateOf(series));
      return createPrivateActivities({ ...context, random }).privatize(input);
    },
  };
}

/** The world with some rows more in one partition, or with rows replaced. */
export const withRows = (partition: string, change: (text: string) => string): NonNullable<World['trips']> => {
  return ({ part: mode, day }) =>
    partitionPath({ part: mode, day }) === partition ? change(smallTrips(day, mode)) : undefined;
};

/** The dice that hide one more tap in each of these cells, or one fewer: every cell, its time and its location. */
export function hiding(cells: readonly string[], by: -1 | 1, margins = true): Record<string, number> {
  const shift: Record<string, number> = {};
  const add = (key: string) => {
    shift[key] = (shift[key] ?? 0) + by;
  };
  for (const cell of cells) {
    const [tap, time, location] = cell.split(' ');
    add(`cell ${cell}`);
    if (!margins) continue;
    add(`time ${tap} ${time}`);
    add(`location ${tap} ${location}`);
  }
  return shift;
}

/**
 * What a world holds, as the custodian side knows it: of each partition the taps of cells, times and locations, and those
 * that are left out, by the key of their noise.
 */
export type HeldTaps = ReadonlyMap<string, ReadonlyMap<string, number>>;
export async function heldTaps(setup: LoadedSeries, world: World): Promise<HeldTaps> {
  const release = await openSmallRelease(setup);
  try {
    await deliver(release, world);
    const context = release.contexts().private;
    await release.through('bin', context);
    const held = new Map<string, Map<string, number>>();
    for (const partition of release.partitions) {
      const taps = new Map<string, number>();
      const add = (key: string, count: number) => taps.set(key, (taps.get(key) ?? 0) + count);
      for (const [tap, time, place, count] of await readCellRows(context, release.run(), 0, partition))
        for (const key of [`cell ${tap} ${time} ${place}`, `time ${tap} ${time}`, `location ${tap} ${place}`])
          add(key, count);
      const { leftOut } = await readCells(context.privateStore, PRIVATE_KEYS.cells(release.run(), 0, partition));
      for (const [tap, count] of leftOut ?? []) add(`leftOut ${tap}`, count);
      held.set(partitionPath(partition), taps);
    }
    return held;
  } finally {
    await release.close();
  }
}

/** The dice by which a world that holds the second shows what one with the first does. */
export const hidingAll = (shown: HeldTaps, moved: HeldTaps): NonNullable<World['noise']> =>
  Object.fromEntries(
    [...shown].map(([path, taps]) => {
      const others = moved.get(path)!;
      const keys = [...new Set([...taps.keys(), ...others.keys()])];
      return [path, Object.fromEntries(keys.map((key) => [key, (taps.get(key) ?? 0) - (others.get(key) ?? 0)]))];
    }),
  );
