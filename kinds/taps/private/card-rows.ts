import { appendFileSync, closeSync, openSync, readSync, rmSync, truncateSync } from 'node:fs';
import { DIGEST_WORDS, ROW_WORDS } from '../../../core/bounding/tap-choice.ts';

/** Rows are put aside in so many parts, by one byte of the digest of their card. */
const PARTS = 256;

const ROW_BYTES = ROW_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** The bytes of a digest that make parts, the last of them first: ranks use the others (tap-choice.ts). */
const LAST_BYTE = DIGEST_WORDS * Uint32Array.BYTES_PER_ELEMENT - 1;

type Part = { path: string; inFile: number; inBlock: number; block: Uint32Array<ArrayBuffer> };

/**
 * The rows of cards (core/bounding/tap-choice.ts), all rows of one card in one part. Of each part a block is in memory,
 * and what fills one is put into its file.
 */
export class CardRows {
  readonly #parts: Part[];
  readonly #blockRows: number;
  readonly #byte: number;
  readonly #path: string;

  /** `path`: how the names of the files begin. `level`: parts are made by the byte so far from the last one. */
  constructor(path: string, blockRows: number, level = 0) {
    [this.#path, this.#blockRows, this.#byte] = [path, blockRows, LAST_BYTE - level];
    this.#parts = Array.from({ length: PARTS }, (_, part) => ({
      path: `${path}-${part}`,
      inFile: 0,
      inBlock: 0,
      block: new Uint32Array(0),
    }));
  }

  /** Adds a row: the digest of a list that stands at a place there, and the cells of its taps, or NO_CELL. */
  add(digests: Uint32Array, at: number, first: number, second: number): void {
    const part = this.#parts[(digests[at + (this.#byte >> 2)]! >>> (8 * (this.#byte & 3))) & (PARTS - 1)]!;
    if (part.inBlock === this.#blockRows) putAside(part);
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
    return this.#parts.map(({ inFile, inBlock }) => inFile + inBlock);
  }

  /** Forgets all rows but so many of each part, the first ones. */
  cut(sizes: readonly number[]): void {
    for (const [number, part] of this.#parts.entries()) {
      const size = sizes[number]!;
      part.inBlock = Math.max(0, size - part.inFile);
      if (size >= part.inFile) continue;
      if (size === 0) rmSync(part.path);
      else truncateSync(part.path, size * ROW_BYTES);
      part.inFile = size;
    }
  }

  /**
   * All rows, each list with all rows of its cards and at most so many rows; `single` is given those of a card that has
   * more, in pieces. What was given is forgotten.
   */
  *take(most: number, single: (pieces: Iterable<Uint32Array>) => void): Generator<Uint32Array> {
    for (const part of this.#parts) {
      const size = part.inFile + part.inBlock;
      if (size === 0) continue;
      if (size <= most) yield* pieces(part, most);
      else if (isOneCard(pieces(part, most))) single(pieces(part, most));
      else yield* this.#smaller(part, most).take(most, single);
      rmSync(part.path, { force: true });
      part.block = new Uint32Array(0);
    }
  }

  /** The rows of one part in parts of the next byte. */
  #smaller(part: Part, most: number): CardRows {
    const level = LAST_BYTE - this.#byte + 1;
    const smaller = new CardRows(`${this.#path}-${level}`, this.#blockRows, level);
    for (const rows of pieces(part, most)) {
      for (let at = 0; at < rows.length; at += ROW_WORDS)
        smaller.add(rows, at, rows[at + DIGEST_WORDS]!, rows[at + DIGEST_WORDS + 1]!);
    }
    return smaller;
  }
}

function putAside(part: Part): void {
  appendFileSync(part.path, new Uint8Array(part.block.buffer, 0, part.inBlock * ROW_BYTES));
  part.inFile += part.inBlock;
  part.inBlock = 0;
}

/** The rows of a part, at most so many at a time. */
function* pieces({ path, inFile, inBlock, block }: Part, most: number): Generator<Uint32Array> {
  const file = inFile > 0 ? openSync(path, 'r') : null;
  try {
    for (let from = 0; from < inFile + inBlock; from += most) {
      const rows = new Uint32Array(Math.min(most, inFile + inBlock - from) * ROW_WORDS);
      const read = Math.min(most, Math.max(0, inFile - from)) * ROW_BYTES;
      if (file !== null && readSync(file, rows, 0, read, from * ROW_BYTES) < read)
        throw new TypeError('rows that were put aside are gone');
      const begin = Math.max(0, from - inFile) * ROW_WORDS;
      rows.set(block.subarray(begin, begin + rows.length - read / 4), read / 4);
      yield rows;
    }
  } finally {
    if (file !== null) closeSync(file);
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
