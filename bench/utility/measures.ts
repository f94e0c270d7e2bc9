import type { MarginRow, PrivatizedCell } from '../../contracts/formats/privatized-rows.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import type { Release } from './designs.ts';
import { type RowErrors, RowMeter } from './row-errors.ts';

/** Sums of the errors of some cells. */
export type CellErrors = { cells: number; absolute: number; squared: number };

/** What a release is worth, over all partitions of a window. */
export type Utility = {
  taps: number;
  /** True taps of the published cells. */
  tapsInCells: number;
  /** Published cells: their errors are those of the noise. */
  published: CellErrors;
  /** Cells that hold a tap, where an unpublished one reads as 0: errors of noise and suppression. */
  withTaps: CellErrors;
  /** Taps that published cells show where there is none, without their signs. */
  tapsFromNothing: number;
  time: RowErrors;
  location: RowErrors;
};

/** Adds up the partitions of one window. Example: `meter.add(exact, release)` for each, then `meter.utility`. */
export class UtilityMeter {
  readonly #published: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  readonly #withTaps: CellErrors = { cells: 0, absolute: 0, squared: 0 };
  readonly #time = new RowMeter();
  readonly #location = new RowMeter();
  #taps = 0;
  #tapsInCells = 0;
  #tapsFromNothing = 0;

  add(exact: ExactPartition, release: Release): void {
    const { counts, partition } = exact;
    this.#addCells(counts, release.cells);
    const times = counts.map(([tap, time, , count]): MarginRow => [tap, time, count]);
    const locations = counts.map(([tap, , location, count]): MarginRow => [tap, location, count]);
    this.#time.add(partition.part, times, release.time);
    this.#location.add(partition.part, locations, release.location);
  }

  get utility(): Utility {
    return {
      taps: this.#taps,
      tapsInCells: this.#tapsInCells,
      published: this.#published,
      withTaps: this.#withTaps,
      tapsFromNothing: this.#tapsFromNothing,
      time: this.#time.errors,
      location: this.#location.errors,
    };
  }

  #addCells(counts: ExactPartition['counts'], cells: readonly PrivatizedCell[]): void {
    const unpublished = new Map(counts.map((cell) => [cellKey(cell), cell[3]]));
    for (const cell of cells) {
      const truth = unpublished.get(cellKey(cell)) ?? 0;
      const error = cell[3] - truth;
      addError(this.#published, error);
      if (truth === 0) this.#tapsFromNothing += Math.abs(error);
      else addError(this.#withTaps, error);
      this.#tapsInCells += truth;
      unpublished.delete(cellKey(cell));
    }
    for (const count of unpublished.values()) addError(this.#withTaps, -count);
    for (const cell of counts) this.#taps += cell[3];
  }
}

function addError(errors: CellErrors, error: number): void {
  errors.cells += 1;
  errors.absolute += Math.abs(error);
  errors.squared += error * error;
}

const cellKey = ([tap, time, location]: PrivatizedCell): string => `${tap}\u0000${time}\u0000${location}`;
