import { exactCoins } from '../../../core/random/coins.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import type { VehicleModel } from './vehicle-model.ts';

/** What the doors count at each departure of a run. */
export type DoorCounts = { readonly boardings: readonly number[]; readonly alightings: readonly number[] };

/**
 * An invented run: its peak load is any number up to the vehicle's largest count, equally likely, and each rider boards
 * and alights at two different stops, any two equally likely; who rides to the last stop alights after all departures.
 */
export function simulateRun({ maximumCount }: VehicleModel, departures: number, source: RandomSource): DoorCounts {
  const coins = exactCoins(source);
  const below = (bound: number) => Number(coins.below(BigInt(bound)));
  const boardings = new Array<number>(departures).fill(0);
  const alightings = new Array<number>(departures).fill(0);
  // Half of all riders are aboard in the middle of the run.
  const riders = 2 * (1 + below(maximumCount));
  for (let rider = 0; rider < riders; rider += 1) {
    const one = below(departures + 1);
    const other = (one + 1 + below(departures)) % (departures + 1);
    boardings[Math.min(one, other)]! += 1;
    if (Math.max(one, other) < departures) alightings[Math.max(one, other)]! += 1;
  }
  return { boardings, alightings };
}

/** Boardings minus alightings at each departure, each of the two clamped to 0 and the largest count by itself. */
export function clampChanges({ maximumCount }: VehicleModel, { boardings, alightings }: DoorCounts): number[] {
  const clamp = (count: number) => Math.min(Math.max(count, 0), maximumCount);
  return boardings.map((count, departure) => clamp(count) - clamp(alightings[departure]!));
}
