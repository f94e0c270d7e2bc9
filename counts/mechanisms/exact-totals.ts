import type { Totals } from '../tables/columns.ts';

/** Sums of placed counts over all locations, and over all times, of each tap; `times` may be hours. */
export function totalsOf(
  { places, counts }: { places: ArrayLike<number>; counts: ArrayLike<number> },
  { taps, times, locations }: { taps: readonly unknown[]; times: readonly string[]; locations: readonly string[] },
): Totals {
  const totals = {
    time: new Float64Array(taps.length * times.length),
    location: new Float64Array(taps.length * locations.length),
  };
  for (let at = 0; at < places.length; at++) {
    const line = Math.floor(places[at]! / locations.length);
    const tap = Math.floor(line / times.length);
    totals.time[line]! += counts[at]!;
    totals.location[tap * locations.length + (places[at]! % locations.length)]! += counts[at]!;
  }
  return totals;
}
