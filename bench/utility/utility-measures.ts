import { oncePer } from '../../core/memory/function-cache.ts';
import { domainSize } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import type { MarginRow, PrivatizedCell } from '../../test/support/table-of-rows.ts';
import { sumOf } from '../measuring.ts';

/**
 * What a reader gets of one partition: cells, totals of times and of locations, and the sum of the hour rows. A key that
 * is absent reads as 0, and rows of one key add up.
 */
export type Release = { cells: PrivatizedCell[]; tapsInHours: number; time: MarginRow[]; location: MarginRow[] };

/** Counts by their places in the public domain, so that millions of cells are compared without a name for each. */
type Counts = { cells: Float64Array; time: Float64Array; location: Float64Array };

/** A cell that is not there is NaN, a total 0. Throws TypeError for what is outside the domain. */
function countsOf(domain: PublicDomain, { cells, time, location }: Omit<Release, 'tapsInHours'>): Counts {
  const placesOf = (names: readonly string[]) => new Map([...names].sort().map((name, place) => [name, place]));
  const [taps, times, locations] = [placesOf(domain.taps), placesOf(domain.times), placesOf(domain.locations)];
  const at = (places: ReadonlyMap<string, number>, name: string): number => {
    const place = places.get(name);
    if (place === undefined) throw new TypeError('a cell is outside the public domain');
    return place;
  };
  const counts = {
    cells: new Float64Array(taps.size * times.size * locations.size).fill(Number.NaN),
    time: new Float64Array(taps.size * times.size),
    location: new Float64Array(taps.size * locations.size),
  };
  for (const [tap, label, place, count] of cells)
    counts.cells[(at(taps, tap) * times.size + at(times, label)) * locations.size + at(locations, place)] = count;
  for (const [tap, label, count] of time) counts.time[at(taps, tap) * times.size + at(times, label)]! += count;
  for (const [tap, place, count] of location)
    counts.location[at(taps, tap) * locations.size + at(locations, place)]! += count;
  return counts;
}

/** What is known of a partition before anything is drawn: made once, as it is drawn many times. */
const truthOf = oncePer(({ domain, counts: cells }: ExactPartition) =>
  countsOf(domain, {
    cells,
    time: cells.map(([tap, time, , count]) => [tap, time, count]),
    location: cells.map(([tap, , location, count]) => [tap, location, count]),
  }),
);

const totalOf = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);
const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, count, place) => sum + Math.abs(count - b[place]!), 0);
function addTo(sums: Float64Array, counts: Float64Array): void {
  for (const [place, count] of counts.entries()) sums[place]! += count;
}

/** Sums of the errors of some cells. */
type CellErrors = { cells: number; absolute: number; squared: number };

function addError(errors: CellErrors, error: number): void {
  errors.cells += 1;
  errors.absolute += Math.abs(error);
  errors.squared += error * error;
}

/** Totals of one axis: errors of single days, and sums over the days of a mode, whose domain is that of each day. */
class TotalMeter {
  absolute = 0;
  readonly modes = new Map<string, { truth: Float64Array; released: Float64Array }>();

  add(mode: string, truth: Float64Array, counts: Float64Array): void {
    this.absolute += distance(truth, counts);
    const sums = this.modes.get(mode) ?? { truth: truth.map(() => 0), released: truth.map(() => 0) };
    this.modes.set(mode, sums);
    addTo(sums.truth, truth);
    addTo(sums.released, counts);
  }

  /** Released taps more than there are, as a part of them. */
  biasOf(mode: string): number {
    const { truth, released } = this.modes.get(mode)!;
    return totalOf(released) / totalOf(truth) - 1;
  }

  /** `absoluteOfWindow`: where rows are summed over the days of the window first. */
  get errors(): { released: number; absolute: number; absoluteOfWindow: number } {
    const sums = [...this.modes.values()];
    return {
      released: sums.reduce((sum, { released }) => sum + totalOf(released), 0),
      absolute: this.absolute,
      absoluteOfWindow: sums.reduce((sum, { truth, released }) => sum + distance(truth, released), 0),
    };
  }
}

/** Adds up the partitions of one window. Example: `meter.add(exact, release)` for each, then `meter.figures`. */
export class UtilityMeter {
  /** Published cells: their errors are those of the noise. */
  readonly published: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  /** Cells that hold a tap, where an unpublished one reads as 0: errors of noise and suppression. */
  readonly withTaps: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  readonly totals = { time: new TotalMeter(), location: new TotalMeter() };
  #taps = 0;
  #tapsInCells = 0;
  #tapsInHours = 0;
  #tapsFromNothing = 0;

  add(exact: ExactPartition, release: Release): void {
    const truth = truthOf(exact);
    const counts = countsOf(exact.domain, release);
    this.#taps += totalOf(truth.time);
    this.#tapsInHours += release.tapsInHours;
    for (const [place, count] of counts.cells.entries()) this.#addCell(truth.cells[place] || 0, count);
    for (const axis of ['time', 'location'] as const)
      this.totals[axis].add(exact.partition.part, truth[axis], counts[axis]);
  }

  /** Fractions of all taps, except the figures about cells, which are in cells and taps. */
  get figures() {
    const [taps, { published, withTaps }] = [this.#taps, this];
    const [time, location] = [this.totals.time.errors, this.totals.location.errors];
    return {
      inCells: this.#tapsInCells / taps,
      inHours: this.#tapsInHours / taps,
      cellsPublished: published.cells,
      publishedMean: published.absolute / published.cells,
      publishedRoot: Math.sqrt(published.squared / published.cells),
      withTapsMean: withTaps.absolute / withTaps.cells,
      withTapsRoot: Math.sqrt(withTaps.squared / withTaps.cells),
      tapsFromNothing: this.#tapsFromNothing,
      timeBias: time.released / taps - 1,
      timeError: time.absolute / taps,
      timeErrorOfWindow: time.absoluteOfWindow / taps,
      locationBias: location.released / taps - 1,
      locationError: location.absolute / taps,
      locationErrorOfWindow: location.absoluteOfWindow / taps,
    };
  }

  #addCell(truth: number, count: number): void {
    const isPublished = !Number.isNaN(count);
    const error = (isPublished ? count : 0) - truth;
    if (isPublished) {
      addError(this.published, error);
      this.#tapsInCells += truth;
    }
    if (truth > 0) addError(this.withTaps, error);
    else this.#tapsFromNothing += Math.abs(error);
  }
}

export type Figures = UtilityMeter['figures'];

export const tapsOf = (partitions: readonly ExactPartition[]): number =>
  sumOf(partitions.flatMap(({ counts }) => counts.map(([, , , count]) => count)));

/** Cells of the public domain of all of them. */
export const cellsOf = (partitions: readonly ExactPartition[]): number =>
  sumOf(partitions.map(({ domain }) => domainSize(domain)));

/** Densities that are asked for: cells with this many taps or more. */
export const DENSITIES = [7, 38, 72, 138, 300] as const;

/** The number of cells with taps, and the share of all taps in cells of each density, without any noise. */
export function densitiesOf(partitions: readonly ExactPartition[]): { cells: number; shares: number[] } {
  const counts = partitions.flatMap((exact) => exact.counts.map(([, , , count]) => count));
  const tapsIn = (least: number): number => counts.reduce((sum, count) => sum + (count >= least ? count : 0), 0);
  const taps = tapsIn(0);
  return { cells: counts.length, shares: DENSITIES.map((least) => tapsIn(least) / taps) };
}
