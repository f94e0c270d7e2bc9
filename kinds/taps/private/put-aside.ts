import { appendFileSync, closeSync, openSync, readSync, rmSync } from 'node:fs';

/** Of one part, the full blocks of the file by their numbers, and the block in memory with its number of rows. */
type Part = { blocks: number[]; rows: number; block: Uint32Array<ArrayBuffer> };

/** A block is `blockRows` rows of `rowWords` words of 32 bits. */
export type BlockShape = { blockRows: number; rowWords: number };

/** Rows in parts. Of each part a block is in memory, and those that are full are in one file. */
export class PutAside {
  readonly #parts: Part[];
  readonly #path: string;
  readonly #shape: BlockShape;
  #written = 0;

  constructor(path: string, parts: number, shape: BlockShape) {
    [this.#path, this.#shape] = [path, shape];
    this.#parts = Array.from({ length: parts }, () => ({ blocks: [], rows: 0, block: new Uint32Array(0) }));
  }

  /** Adds a row to a part, for the caller to fill: it is the last of that many rows of a block. */
  room(number: number): Readonly<Pick<Part, 'block' | 'rows'>> {
    const part = this.#parts[number]!;
    const { blockRows, rowWords } = this.#shape;
    if (part.rows === blockRows) {
      appendFileSync(this.#path, new Uint8Array(part.block.buffer));
      part.blocks.push(this.#written++);
      part.rows = 0;
    }
    if (part.block.length === 0) part.block = new Uint32Array(blockRows * rowWords);
    part.rows += 1;
    return part;
  }

  /** How many rows each part has. */
  sizes(): number[] {
    return this.#parts.map(({ blocks, rows }) => blocks.length * this.#shape.blockRows + rows);
  }

  /** Forgets all rows of each part except the first ones, as many as `sizes` gives. */
  cut(sizes: readonly number[]): void {
    const { blockRows } = this.#shape;
    for (const [number, part] of this.#parts.entries()) {
      const full = Math.min(part.blocks.length, Math.floor(sizes[number]! / blockRows));
      if (full < part.blocks.length) {
        this.#read(part.block, part.blocks[full]!);
        part.blocks.length = full;
      }
      part.rows = sizes[number]! - full * blockRows;
    }
  }

  /** The rows of a part; a piece holds until the next one is asked for. */
  *pieces(number: number): Generator<Uint32Array> {
    const { blocks, rows, block } = this.#parts[number]!;
    const piece = new Uint32Array(this.#shape.blockRows * this.#shape.rowWords);
    for (const one of blocks) {
      this.#read(piece, one);
      yield piece;
    }
    if (rows > 0) yield block.subarray(0, rows * this.#shape.rowWords);
  }

  /** Forgets a part. */
  forget(number: number): void {
    this.#parts[number] = { blocks: [], rows: 0, block: new Uint32Array(0) };
  }

  /** Removes the file. */
  end(): void {
    rmSync(this.#path, { force: true });
  }

  /** Reads a block of the file into the beginning of a list. */
  #read(into: Uint32Array, block: number): void {
    const bytes = this.#shape.blockRows * this.#shape.rowWords * Uint32Array.BYTES_PER_ELEMENT;
    const file = openSync(this.#path, 'r');
    try {
      const count = readSync(file, into, 0, bytes, block * bytes);
      if (count < bytes) throw new TypeError('rows that were put aside are gone');
    } finally {
      closeSync(file);
    }
  }
}
