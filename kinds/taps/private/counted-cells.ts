import { PutAside } from './put-aside.ts';

/** A count that has reached this stays there: it still moves by at most one for each tap. */
export const HIGHEST_COUNT = 2 ** 32 - 1;

/** Where counts may be, and how many at once. */
export type CountMemory = {
  /** A file for taps that are put aside. */
  path: string;
  /** Of so many cells, beside each other, the counts are in memory. */
  cellsAtOnce: number;
  blockRows: number;
};

/** Counts of cells beside each other, from the first one on. */
export type CountedRange = { first: number; counts: Uint32Array };

/** Cells beside each other. */
export type CellRow = { firstCell: number; cells: number };

/**
 * Counts by the numbers of cells. What is in memory follows from how many cells there may be, and not from taps: with
 * more cells than are counted at once, the cells of taps are put aside in ranges, each of which is counted at the end.
 */
export class CountedCells {
  readonly #size: number;
  readonly #memory: CountMemory;
  /** What was kept, and what was counted since; memory that is never written is never taken. */
  #kept: Uint32Array | null = null;
  #own: Uint32Array;
  /** With too many cells: the cells of taps, and how many of them were kept. */
  readonly #aside: PutAside | null = null;
  #sizes: number[] = [];

  /** `size`: how many cells there are. */
  constructor(size: number, memory: CountMemory) {
    [this.#size, this.#memory] = [size, memory];
    const ranges = Math.ceil(size / memory.cellsAtOnce);
    if (ranges > 1) {
      this.#aside = new PutAside(memory.path, ranges, { blockRows: memory.blockRows, rowWords: 2 });
      this.#sizes = this.#aside.sizes();
    }
    this.#own = new Uint32Array(ranges > 1 ? 0 : size);
  }

  /** Counts so many taps of a cell, at most HIGHEST_COUNT. */
  add(cell: number, taps: number): void {
    if (this.#aside === null) {
      this.#own[cell] = Math.min(HIGHEST_COUNT, this.#own[cell]! + taps);
      return;
    }
    const { cellsAtOnce } = this.#memory;
    const range = Math.floor(cell / cellsAtOnce);
    const { block, rows } = this.#aside.room(range);
    block[2 * rows - 2] = cell - range * cellsAtOnce;
    block[2 * rows - 1] = taps;
  }

  /** Keeps what was counted since the last time, all of it in cells of these rows. */
  keep(rows: Iterable<CellRow>): void {
    if (this.#aside !== null) {
      this.#sizes = this.#aside.sizes();
    } else if (this.#kept === null) {
      this.#kept = this.#own;
      this.#own = new Uint32Array(this.#size);
    } else {
      for (const { firstCell, cells } of rows) {
        for (let cell = firstCell; cell < firstCell + cells; cell++) {
          this.#kept[cell] = Math.min(HIGHEST_COUNT, this.#kept[cell]! + this.#own[cell]!);
          this.#own[cell] = 0;
        }
      }
    }
  }

  /** Forgets what was counted since the last time. */
  drop(): void {
    this.#aside?.cut(this.#sizes);
    this.#own = new Uint32Array(this.#own.length);
  }

  /** What was kept, ascending; a range holds until the next one is asked for. It can be asked for once. */
  *ranges(): Generator<CountedRange> {
    if (this.#aside === null) {
      if (this.#kept !== null) yield { first: 0, counts: this.#kept };
      return;
    }
    try {
      const counts = new Uint32Array(this.#memory.cellsAtOnce);
      for (const range of this.#sizes.keys()) {
        counts.fill(0);
        for (const rows of this.#aside.pieces(range))
          for (let at = 0; at < rows.length; at += 2)
            counts[rows[at]!] = Math.min(HIGHEST_COUNT, counts[rows[at]!]! + rows[at + 1]!);
        yield { first: range * this.#memory.cellsAtOnce, counts };
      }
    } finally {
      this.#aside.end();
    }
  }
}
