import { DIGEST_WORDS, ROW_WORDS } from '../bounding/tap-choice.ts';
import { PutAside } from './put-aside.ts';

/** Rows are put aside in this many parts, by one byte of the digest of their card. */
const PARTS = 256;

/** The bytes of a digest that make parts, the last of them first: ranks use the others (tap-choice.ts). */
const LAST_BYTE = DIGEST_WORDS * Uint32Array.BYTES_PER_ELEMENT - 1;

/** Rows of one object, which are kept or forgotten as a whole, and then it is over. */
export type RowsOfObject = {
  /** Adds a row: the digest at place `at` of a list, and the cells of its taps, or NO_CELL. */
  add(digests: Uint32Array, at: number, first: number, second: number): void;
  keep(): void;
  drop(): void;
};

/**
 * The rows of cards (bounding/tap-choice.ts), all rows of one card in one part. Objects that come beside each other
 * have a file each, which later ones go on with.
 */
export class CardRows {
  readonly #files: PutAside[] = [];
  readonly #free: PutAside[] = [];
  readonly #blockRows: number;
  readonly #byte: number;
  readonly #path: string;

  /** `path`: of the files of those not in memory. `level`: parts are made by the byte so far from the last one. */
  constructor(path: string, blockRows: number, level = 0) {
    [this.#path, this.#blockRows, this.#byte] = [path, blockRows, LAST_BYTE - level];
  }

  /** Begins to take the rows of an object. */
  begin(): RowsOfObject {
    const file = this.#free.pop() ?? this.#another();
    const before = file.sizes();
    return {
      add: (digests, at, first, second) => {
        const part = (digests[at + (this.#byte >> 2)]! >>> (8 * (this.#byte & 3))) & (PARTS - 1);
        const { block, rows } = file.room(part);
        const to = (rows - 1) * ROW_WORDS;
        for (let word = 0; word < DIGEST_WORDS; word++) block[to + word] = digests[at + word]!;
        block[to + DIGEST_WORDS] = first;
        block[to + DIGEST_WORDS + 1] = second;
      },
      keep: () => void this.#free.push(file),
      drop: () => {
        file.cut(before);
        this.#free.push(file);
      },
    };
  }

  #another(): PutAside {
    const path = `${this.#path}-${this.#files.length}`;
    const file = new PutAside(path, PARTS, { blockRows: this.#blockRows, rowWords: ROW_WORDS });
    this.#files.push(file);
    return file;
  }

  /** How many rows each part has. */
  sizes(): number[] {
    const sizes = new Array<number>(PARTS).fill(0);
    for (const file of this.#files) for (const [part, size] of file.sizes().entries()) sizes[part]! += size;
    return sizes;
  }

  /**
   * All rows, each list with all rows of its cards and at most `most` rows; `single` is given those of a card that has
   * more, in pieces. What was given is forgotten.
   */
  *take(most: number, single: (pieces: Iterable<Uint32Array>) => void): Generator<Uint32Array<ArrayBuffer>> {
    for (const [part, size] of this.sizes().entries()) {
      if (size === 0) continue;
      if (size <= most) yield this.#whole(part, size);
      else if (isOneCard(this.#pieces(part))) single(this.#pieces(part));
      else yield* this.#smaller(part).take(most, single);
      for (const file of this.#files) file.forget(part);
    }
    for (const file of this.#files) file.end();
  }

  /** The rows of a part; a piece holds until the next one is asked for. */
  *#pieces(part: number): Generator<Uint32Array> {
    for (const file of this.#files) yield* file.pieces(part);
  }

  #whole(part: number, size: number): Uint32Array<ArrayBuffer> {
    const rows = new Uint32Array(size * ROW_WORDS);
    let at = 0;
    for (const piece of this.#pieces(part)) {
      rows.set(piece, at);
      at += piece.length;
    }
    return rows;
  }

  /** The rows of one part in parts of the next byte. */
  #smaller(part: number): CardRows {
    const level = LAST_BYTE - this.#byte + 1;
    const smaller = new CardRows(`${this.#path}-level-${level}`, this.#blockRows, level);
    const all = smaller.begin();
    for (const rows of this.#pieces(part)) {
      for (let at = 0; at < rows.length; at += ROW_WORDS)
        all.add(rows, at, rows[at + DIGEST_WORDS]!, rows[at + DIGEST_WORDS + 1]!);
    }
    all.keep();
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
