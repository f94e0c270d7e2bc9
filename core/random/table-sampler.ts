import { makeCache } from '../memory/function-cache.ts';
import type { RandomSource } from './random-source.ts';
import { GUIDE_BITS, type ThresholdTable, UNDECIDED, valueBelow } from './threshold-table.ts';

/** Independent draws of integer noise of one law. */
export type NoiseSampler = {
  /** One draw. */
  draw(): number;
  /** Fills the target with draws: the same law as draw(), several times as fast. */
  fill(target: Int32Array): void;
};

/** Bits that fill begins a draw with: the guides need no more, and the kernel's generator is the slowest part. */
const HALF_BITS = GUIDE_BITS.fine;
const COARSE_SHIFT = HALF_BITS - GUIDE_BITS.coarse;
/** Halves that are drawn at a time by fill: few enough to stay in the cache. */
const HALVES_AT_A_TIME = 2 ** 14;
/** Tables that are kept: a release needs four, for the cells, for each margin, and for what is in no cell. */
const TABLES_KEPT = 8;

/** The table of a law by its name; a pure function, kept because laying one out takes milliseconds. */
export const keptTable = makeCache<ThresholdTable>(TABLES_KEPT);

/**
 * Exact draws from a law by inversion (C7). One 32-bit word is the beginning of a uniform number U in [0, 1), and X is
 * read off from which thresholds are above U; fill draws the second half of a word only when the first does not decide.
 * When the word alone does not show on which side of a threshold U is, more bits of U are drawn and the threshold is
 * bounded more narrowly, in integers, until it does. No floating-point arithmetic is involved and no tail is cut: below
 * the last threshold of the table noise goes on with `beyondTable`, and without that with further thresholds. The
 * construction and its proof: table-sampler.proof.md.
 *
 * @contract C7
 */
export function tableSampler(
  { floors, guides: { coarse, fine }, thresholds }: ThresholdTable,
  source: RandomSource,
  beyondTable?: () => number,
): NoiseSampler {
  const end = beyondTable ? floors.length : Number.POSITIVE_INFINITY;

  /** The word that begins with this half. */
  const complete = (half: number): number => ((half << HALF_BITS) | (source.uint32() >>> HALF_BITS)) >>> 0;

  /** The value of a word that no guide decides. */
  function search(word: number): number {
    let [low, high] = [0, floors.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (floors[middle]! > word) low = middle + 1;
      else high = middle;
    }
    const above = low < floors.length && floors[low] === word ? refine(word, low) : low;
    return beyondTable && above >= end ? beyondTable() : valueBelow(above);
  }

  /** Number of thresholds above U, which begins with the word, when those before `first` are known to be. */
  function refine(word: number, first: number): number {
    let [above, digits, bits] = [first, BigInt(word), 32];
    while (above < end) {
      const { lower, upper } = thresholds(above, bits);
      if (digits + 1n <= lower) above++;
      else if (digits >= upper) break;
      else {
        digits = (digits << 32n) | BigInt(source.uint32());
        bits += 32;
      }
    }
    return above;
  }

  return {
    draw() {
      const word = source.uint32();
      const entry = fine[word >>> HALF_BITS]!;
      return entry === UNDECIDED ? search(word) : entry;
    },
    fill(target) {
      const halves = new Uint16Array(Math.min(target.length, HALVES_AT_A_TIME));
      for (let start = 0; start < target.length; start += halves.length) {
        const end = Math.min(start + halves.length, target.length);
        source.fill(halves);
        for (let place = start; place < end; place++) {
          const half = halves[place - start]!;
          let entry = coarse[half >>> COARSE_SHIFT]!;
          if (entry === UNDECIDED) entry = fine[half]!;
          target[place] = entry === UNDECIDED ? search(complete(half)) : entry;
        }
      }
      halves.fill(0);
    },
  };
}
