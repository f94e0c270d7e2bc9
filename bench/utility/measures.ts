import type { MarginRow, PrivatizedCell } from '../../counts/tables/rows.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import type { Release } from './designs.ts';
import { type Domain, domainOf } from './domain.ts';
import { type RowErrors, RowMeter } from './row-errors.ts';

/** Sums of the errors of some cells. */
export type CellErrors = { cells: number; absolute: number; squared: number };

/** What a release is worth, over all partitions of a window. */
export type Utility = {
  taps: number;
  /** True taps of the published cells. */
  tapsInCells: number;
  /** What the hour rows show, noise and all. */
  tapsInHours: number;
  /** Published cells: their errors are those of the noise. */
  published: CellErrors;
  /** Cells that hold a tap, where an unpublished one reads as 0: errors of noise and suppression. */
  withTaps: CellErrors;
  /** Taps that published cells show where there is none, without their signs. */
  tapsFromNothing: number;
  time: RowErrors;
  location: RowErrors;
};

/** What is known of one partition before anything is drawn: made once, as it is drawn many times. */
type Truth = { domain: Domain; counts: Float64Array; taps: number; time: MarginRow[]; location: MarginRow[] };

const known = new WeakMap<ExactPartition, Truth>();

function truthOf(exact: ExactPartition): Truth {
  const before = known.get(exact);
  if (before) return before;
  const domain = domainOf(exact.domain);
  const counts = new Float64Array(domain.cells);
  for (const cell of exact.counts) counts[domain.placeOf(cell)] = cell[3];
  const taps = exact.counts.reduce((sum, [, , , count]) => sum + count, 0);
  const truth = { domain, counts, taps, ...domain.totalsOf(exact.counts) };
  known.set(exact, truth);
  return truth;
}

/** Adds up the partitions of one window. Example: `meter.add(exact, release)` for each, then `meter.utility`. */
export class UtilityMeter {
  readonly #published: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  readonly #withTaps: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  readonly #time = new RowMeter();
  readonly #location = new RowMeter();
  #taps = 0;
  #tapsInCells = 0;
  #tapsInHours = 0;
  #tapsFromNothing = 0;

  add(exact: ExactPartition, release: Release): void {
    const truth = truthOf(exact);
    this.#addCells(truth, release.cells);
    this.#taps += truth.taps;
    this.#tapsInHours += release.tapsInHours;
    this.#time.add(exact.partition.part, truth.time, release.time);
    this.#location.add(exact.partition.part, truth.location, release.location);
  }

  get utility(): Utility {
    return {
      taps: this.#taps,
      tapsInCells: this.#tapsInCells,
      tapsInHours: this.#tapsInHours,
      published: this.#published,
      withTaps: this.#withTaps,
      tapsFromNothing: this.#tapsFromNothing,
      time: this.#time.errors,
      location: this.#location.errors,
    };
  }

  #addCells({ domain, counts }: Truth, cells: readonly PrivatizedCell[]): void {
    const unpublished = counts.slice();
    for (const cell of cells) {
      const place = domain.placeOf(cell);
      const truth = counts[place]!;
      const error = cell[3] - truth;
      addError(this.#published, error);
      if (truth === 0) this.#tapsFromNothing += Math.abs(error);
      else addError(this.#withTaps, error);
      this.#tapsInCells += truth;
      unpublished[place] = 0;
    }
    for (const count of unpublished) if (count > 0) addError(this.#withTaps, -count);
  }
}

function addError(errors: CellErrors, error: number): void {
  errors.cells += 1;
  errors.absolute += Math.abs(error);
  errors.squared += error * error;
}
