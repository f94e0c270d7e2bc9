import { PutAside } from './put-aside.ts';

/** A count that has reached this stays there: it still moves by at most one for each tap. */
export const HIGHEST_COUNT = 2 ** 32 - 1;

/** Where counts may be, and how many at once. */
export type CountMemory = {
  /** A file for taps that are put aside. */
  path: string;
  /** Number of adjacent cells whose counts are in memory. */
  cellsAtOnce: number;
  blockRows: number;
};

/** Counts of cells beside each other, from the first one on. */
export type CountedRange = { first: number; counts: Uint32Array };

/** Cells beside each other. */
export type CellRow = { firstCell: number; cells: number };

/** Counts of one object, which are kept or forgotten as a whole, and then it is over. */
export type ObjectCounts = {
  /** Counts this number of taps of a cell, at most HIGHEST_COUNT. */
  add(cell: number, taps: number): void;
  /** Keeps what was counted, all of it in cells of these rows. */
  keep(rows: Iterable<CellRow>): void;
  drop(): void;
};

/**
 * Counts by the numbers of cells. What is in memory follows from how many cells there may be, and not from taps: with
 * more cells than are counted at once, the cells of taps are put aside in ranges, each of which is counted at the end.
 */
export type CountedCells = {
  /** Objects that may be counted side by side. */
  readonly objectsAtOnce: number;
  /** Begins to count an object; others only once it is over, unless there is room for more. */
  begin(): ObjectCounts;
  /** What was kept, ascending; a range holds until the next one is asked for. It can be asked for once. */
  ranges(): Iterable<CountedRange>;
};

/** Counts of `size` cells, all zero. */
export const openCounts = (size: number, memory: CountMemory): CountedCells =>
  size > memory.cellsAtOnce ? new CountsAside(size, memory) : new CountsInMemory(size);

/** Number of counts, in all, of objects that are counted side by side: 64 MiB. */
const CELLS_BESIDE = 2 ** 24;

const sum = (count: number, more: number): number => Math.min(HIGHEST_COUNT, count + more);

class CountsInMemory implements CountedCells {
  readonly objectsAtOnce: number;
  readonly #size: number;
  #kept: Uint32Array | null = null;
  /** Counts of objects that are over, all zero. Memory that is never written is never taken. */
  readonly #zeros: Uint32Array[] = [];

  constructor(size: number) {
    [this.#size, this.objectsAtOnce] = [size, Math.max(1, Math.floor(CELLS_BESIDE / size))];
  }

  begin(): ObjectCounts {
    const own = this.#zeros.pop() ?? new Uint32Array(this.#size);
    return {
      add: (cell, taps) => {
        own[cell] = sum(own[cell]!, taps);
      },
      keep: (rows) => this.#keep(own, rows),
      drop: () => {},
    };
  }

  #keep(own: Uint32Array, rows: Iterable<CellRow>): void {
    if (this.#kept === null) {
      this.#kept = own;
      return;
    }
    for (const { firstCell, cells } of rows) {
      for (let cell = firstCell; cell < firstCell + cells; cell++) {
        this.#kept[cell] = sum(this.#kept[cell]!, own[cell]!);
        own[cell] = 0;
      }
    }
    this.#zeros.push(own);
  }

  ranges(): CountedRange[] {
    return this.#kept === null ? [] : [{ first: 0, counts: this.#kept }];
  }
}

/** The cells of taps, put aside in ranges: objects come one after the other. */
class CountsAside implements CountedCells, ObjectCounts {
  readonly objectsAtOnce = 1;
  readonly #aside: PutAside;
  readonly #cellsAtOnce: number;
  /** How many taps of each range were kept. */
  #sizes: number[];

  constructor(size: number, { path, cellsAtOnce, blockRows }: CountMemory) {
    this.#cellsAtOnce = cellsAtOnce;
    this.#aside = new PutAside(path, Math.ceil(size / cellsAtOnce), { blockRows, rowWords: 2 });
    this.#sizes = this.#aside.sizes();
  }

  begin(): ObjectCounts {
    return this;
  }

  add(cell: number, taps: number): void {
    const range = Math.floor(cell / this.#cellsAtOnce);
    const { block, rows } = this.#aside.room(range);
    block[2 * rows - 2] = cell - range * this.#cellsAtOnce;
    block[2 * rows - 1] = taps;
  }

  keep(): void {
    this.#sizes = this.#aside.sizes();
  }

  drop(): void {
    this.#aside.cut(this.#sizes);
  }

  *ranges(): Generator<CountedRange> {
    try {
      const counts = new Uint32Array(this.#cellsAtOnce);
      for (const range of this.#sizes.keys()) {
        counts.fill(0);
        for (const rows of this.#aside.pieces(range))
          for (let at = 0; at < rows.length; at += 2) counts[rows[at]!] = sum(counts[rows[at]!]!, rows[at + 1]!);
        yield { first: range * this.#cellsAtOnce, counts };
      }
    } finally {
      this.#aside.end();
    }
  }
}
