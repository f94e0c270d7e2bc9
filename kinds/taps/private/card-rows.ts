import { appendFileSync, closeSync, openSync, readSync, rmSync } from 'node:fs';
import { DIGEST_WORDS, ROW_WORDS } from '../../../core/bounding/tap-choice.ts';

/** Rows are put aside in so many parts, by one byte of the digest of their card. */
const PARTS = 256;

const ROW_BYTES = ROW_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** The bytes of a digest that make parts, the last of them first: ranks use the others (tap-choice.ts). */
const LAST_BYTE = DIGEST_WORDS * Uint32Array.BYTES_PER_ELEMENT - 1;

/** Rows of a part: full blocks of the file by their numbers, and the block in memory. */
type Part = { blocks: number[]; inBlock: number; block: Uint32Array<ArrayBuffer> };

/**
 * The rows of cards (core/bounding/tap-choice.ts), all rows of one card in one part. Of each part a block is in memory,
 * and those that are full are in one file.
 */
export class CardRows {
  readonly #parts: Part[];
  readonly #blockRows: number;
  readonly #byte: number;
  readonly #path: string;
  #written = 0;

  /** `path`: of the file. `level`: parts are made by the byte so far from the last one. */
  constructor(path: string, blockRows: number, level = 0) {
    [this.#path, this.#blockRows, this.#byte] = [path, blockRows, LAST_BYTE - level];
    this.#parts = Array.from({ length: PARTS }, () => ({ blocks: [], inBlock: 0, block: new Uint32Array(0) }));
  }

  /** Adds a row: the digest of a list that stands at a place there, and the cells of its taps, or NO_CELL. */
  add(digests: Uint32Array, at: number, first: number, second: number): void {
    const part = this.#parts[(digests[at + (this.#byte >> 2)]! >>> (8 * (this.#byte & 3))) & (PARTS - 1)]!;
    if (part.inBlock === this.#blockRows) this.#putAside(part);
    if (part.block.length === 0) part.block = new Uint32Array(this.#blockRows * ROW_WORDS);
    const { block } = part;
    const to = part.inBlock * ROW_WORDS;
    for (let word = 0; word < DIGEST_WORDS; word++) block[to + word] = digests[at + word]!;
    block[to + DIGEST_WORDS] = first;
    block[to + DIGEST_WORDS + 1] = second;
    part.inBlock += 1;
  }

  /** How many rows each part has. */
  sizes(): number[] {
    return this.#parts.map((part) => this.#size(part));
  }

  /** Forgets all rows but so many of each part, the first ones. */
  cut(sizes: readonly number[]): void {
    for (const [number, part] of this.#parts.entries()) {
      const full = Math.min(part.blocks.length, Math.floor(sizes[number]! / this.#blockRows));
      if (full < part.blocks.length) {
        this.#read(part.block, part.blocks[full]!);
        part.blocks.length = full;
      }
      part.inBlock = sizes[number]! - full * this.#blockRows;
    }
  }

  /**
   * All rows, each list with all rows of its cards and at most so many rows; `single` is given those of a card that has
   * more, in pieces. What was given is forgotten.
   */
  *take(most: number, single: (pieces: Iterable<Uint32Array>) => void): Generator<Uint32Array> {
    for (const part of this.#parts) {
      if (this.#size(part) === 0) continue;
      if (this.#size(part) <= most) yield this.#whole(part);
      else if (isOneCard(this.#pieces(part))) single(this.#pieces(part));
      else yield* this.#smaller(part).take(most, single);
      [part.blocks, part.inBlock, part.block] = [[], 0, new Uint32Array(0)];
    }
    rmSync(this.#path, { force: true });
  }

  #size({ blocks, inBlock }: Part): number {
    return blocks.length * this.#blockRows + inBlock;
  }

  #putAside(part: Part): void {
    appendFileSync(this.#path, new Uint8Array(part.block.buffer));
    part.blocks.push(this.#written++);
    part.inBlock = 0;
  }

  /** Reads a block of the file into the beginning of a list. */
  #read(into: Uint32Array, block: number): void {
    const bytes = this.#blockRows * ROW_BYTES;
    const file = openSync(this.#path, 'r');
    try {
      const read = readSync(file, into, 0, bytes, block * bytes);
      if (read < bytes) throw new TypeError('rows that were put aside are gone');
    } finally {
      closeSync(file);
    }
  }

  #whole(part: Part): Uint32Array {
    const rows = new Uint32Array(this.#size(part) * ROW_WORDS);
    let at = 0;
    for (const piece of this.#pieces(part)) {
      rows.set(piece, at);
      at += piece.length;
    }
    return rows;
  }

  /** The rows of a part; a piece holds until the next one is asked for. */
  *#pieces({ blocks, inBlock, block }: Part): Generator<Uint32Array> {
    const piece = new Uint32Array(this.#blockRows * ROW_WORDS);
    for (const number of blocks) {
      this.#read(piece, number);
      yield piece;
    }
    if (inBlock > 0) yield block.subarray(0, inBlock * ROW_WORDS);
  }

  /** The rows of one part in parts of the next byte. */
  #smaller(part: Part): CardRows {
    const level = LAST_BYTE - this.#byte + 1;
    const smaller = new CardRows(`${this.#path}-${level}`, this.#blockRows, level);
    for (const rows of this.#pieces(part)) {
      for (let at = 0; at < rows.length; at += ROW_WORDS)
        smaller.add(rows, at, rows[at + DIGEST_WORDS]!, rows[at + DIGEST_WORDS + 1]!);
    }
    return smaller;
  }
}

function isOneCard(lists: Iterable<Uint32Array>): boolean {
  let digest: Uint32Array | null = null;
  for (const rows of lists) {
    digest ??= rows.slice(0, DIGEST_WORDS);
    for (let at = 0; at < rows.length; at += ROW_WORDS)
      for (let word = 0; word < DIGEST_WORDS; word++) if (rows[at + word] !== digest[word]) return false;
  }
  return true;
}
