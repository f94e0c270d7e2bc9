import { DIGEST_WORDS, ROW_WORDS } from '../../../core/bounding/tap-choice.ts';
import { PutAside } from './put-aside.ts';

/** Rows are put aside in so many parts, by one byte of the digest of their card. */
const PARTS = 256;

/** The bytes of a digest that make parts, the last of them first: ranks use the others (tap-choice.ts). */
const LAST_BYTE = DIGEST_WORDS * Uint32Array.BYTES_PER_ELEMENT - 1;

/** The rows of cards (core/bounding/tap-choice.ts), all rows of one card in one part. */
export class CardRows {
  readonly #parts: PutAside;
  readonly #blockRows: number;
  readonly #byte: number;
  readonly #path: string;

  /** `path`: of the file of those not in memory. `level`: parts are made by the byte so far from the last one. */
  constructor(path: string, blockRows: number, level = 0) {
    [this.#path, this.#blockRows, this.#byte] = [path, blockRows, LAST_BYTE - level];
    this.#parts = new PutAside(path, PARTS, { blockRows, rowWords: ROW_WORDS });
  }

  /** Adds a row: the digest of a list that stands at a place there, and the cells of its taps, or NO_CELL. */
  add(digests: Uint32Array, at: number, first: number, second: number): void {
    const part = (digests[at + (this.#byte >> 2)]! >>> (8 * (this.#byte & 3))) & (PARTS - 1);
    const { block, rows } = this.#parts.room(part);
    const to = (rows - 1) * ROW_WORDS;
    for (let word = 0; word < DIGEST_WORDS; word++) block[to + word] = digests[at + word]!;
    block[to + DIGEST_WORDS] = first;
    block[to + DIGEST_WORDS + 1] = second;
  }

  /** How many rows each part has. */
  sizes(): number[] {
    return this.#parts.sizes();
  }

  /** Forgets all rows but so many of each part, the first ones. */
  cut(sizes: readonly number[]): void {
    this.#parts.cut(sizes);
  }

  /**
   * All rows, each list with all rows of its cards and at most so many rows; `single` is given those of a card that has
   * more, in pieces. What was given is forgotten.
   */
  *take(most: number, single: (pieces: Iterable<Uint32Array>) => void): Generator<Uint32Array<ArrayBuffer>> {
    for (const [part, size] of this.sizes().entries()) {
      if (size === 0) continue;
      if (size <= most) yield this.#whole(part, size);
      else if (isOneCard(this.#parts.pieces(part))) single(this.#parts.pieces(part));
      else yield* this.#smaller(part).take(most, single);
      this.#parts.forget(part);
    }
    this.#parts.end();
  }

  #whole(part: number, size: number): Uint32Array<ArrayBuffer> {
    const rows = new Uint32Array(size * ROW_WORDS);
    let at = 0;
    for (const piece of this.#parts.pieces(part)) {
      rows.set(piece, at);
      at += piece.length;
    }
    return rows;
  }

  /** The rows of one part in parts of the next byte. */
  #smaller(part: number): CardRows {
    const level = LAST_BYTE - this.#byte + 1;
    const smaller = new CardRows(`${this.#path}-${level}`, this.#blockRows, level);
    for (const rows of this.#parts.pieces(part)) {
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
