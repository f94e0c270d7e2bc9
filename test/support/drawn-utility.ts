import type { Certificate } from '../../contracts/certificate.ts';
import { hourOf } from '../../core/calendar/time-bins.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { drawTableWith } from '../../counts/mechanisms/draw-table.ts';
import { makeNoise } from '../../counts/mechanisms/noise.ts';
import type { Utility } from '../../counts/readers/expected-utility.ts';
import type { TownPartition } from './generated-town.ts';

/** What a draw of production shows of a town, by its exact counts; and what readers know: taps, and those in cells. */
export type DrawnUtility = Utility & { published: { taps: number; cells: number } };

export function drawnUtility(
  week: readonly TownPartition[],
  certificate: Certificate,
  random: RandomSource,
): DrawnUtility {
  const published = { taps: 0, cells: 0 };
  const sums = { taps: 0, cells: 0, hours: 0, time: 0, location: 0 };
  for (const { part, day, domain, counts } of week) {
    const table = drawTableWith(makeNoise(certificate, random), { part, day }, counts, domain, certificate);
    const truth = totals(counts, domain);
    const shown = totals(table.cells, domain);
    const { times, locations } = domain;
    const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, one) => sum + one, 0);
    published.cells += sumOf(table.cells.counts);
    published.taps += sumOf(table.cells.counts) + sumOf(table.remainder?.time ?? []);
    const exact = new Map([...counts.places].map((place, at) => [place, counts.counts[at]!]));
    for (const place of table.cells.places) {
      sums.cells += exact.get(place) ?? 0;
      exact.delete(place);
    }
    const labels = table.hours?.labels ?? [];
    const hourRow = (place: number): number => {
      const line = Math.floor(place / locations.length);
      const hour = labels.indexOf(hourOf(times[line % times.length]!));
      return (Math.floor(line / times.length) * labels.length + hour) * locations.length + (place % locations.length);
    };
    const hourRows = new Set(table.hours?.places);
    for (const [place, taps] of exact) if (hourRows.has(hourRow(place))) sums.hours += taps;
    for (const [at, place] of (table.hours?.places ?? []).entries()) {
      const tap = Math.floor(place / locations.length / labels.length);
      shown.location[tap * locations.length + (place % locations.length)]! += table.hours!.counts[at]!;
    }
    for (const axis of ['time', 'location'] as const)
      for (const [at, taps] of truth[axis].entries())
        sums[axis] += Math.abs(shown[axis][at]! + (table.remainder?.[axis][at] ?? 0) - taps);
    sums.taps += counts.counts.reduce((sum, taps) => sum + taps, 0);
  }
  const share = (name: keyof Utility): number => sums[name] / sums.taps;
  return { cells: share('cells'), hours: share('hours'), time: share('time'), location: share('location'), published };
}

function totals(
  { places, counts }: TownPartition['counts'],
  { taps, times, locations }: TownPartition['domain'],
): { time: Float64Array; location: Float64Array } {
  const [time, location] = [
    new Float64Array(taps.length * times.length),
    new Float64Array(taps.length * locations.length),
  ];
  for (const [at, place] of places.entries()) {
    const line = Math.floor(place / locations.length);
    time[line]! += counts[at]!;
    location[Math.floor(line / times.length) * locations.length + (place % locations.length)]! += counts[at]!;
  }
  return { time, location };
}
