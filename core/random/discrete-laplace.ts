import { formatRational, type Rational } from '../rational/rational.ts';
import { exactCoins } from './coins.ts';
import {
  type DiscreteLaplaceTable,
  discreteLaplaceTable,
  GUIDE_BITS,
  UNDECIDED,
  valueBelow,
} from './discrete-laplace-table.ts';
import { geometric } from './geometric.ts';
import type { RandomSource } from './random-source.ts';

/** Independent draws of discrete Laplace noise of one scale. */
export type DiscreteLaplace = {
  /** One draw. */
  draw(): number;
  /** Fills the target with draws: the same law as draw(), several times as fast. */
  fill(target: Int32Array): void;
};

const GUIDE_SHIFT = 32 - GUIDE_BITS;
/** Bits that fill begins a draw with: the guide needs no more, and the kernel's generator is the slowest part. */
const HALF_BITS = 16;
/** Halves that are drawn at a time by fill: few enough to stay in the cache. */
const HALVES_AT_A_TIME = 2 ** 14;
/** Tables that are kept: a release needs three, one for the cells and one for each margin. */
const TABLES_KEPT = 8;
const tables = new Map<string, DiscreteLaplaceTable>();

/** The table of a scale; a pure function, kept because laying one out takes milliseconds. */
function tableOf(scale: Rational): DiscreteLaplaceTable {
  const name = formatRational(scale);
  const known = tables.get(name);
  if (known) return known;
  const table = discreteLaplaceTable(scale);
  if (tables.size >= TABLES_KEPT) tables.delete(tables.keys().next().value!);
  tables.set(name, table);
  return table;
}

/**
 * Discrete Laplace noise of any rational scale b: P[X = x] = (1−α)/(1+α)·α^|x|, α = e^(−1/b), exactly (C7).
 *
 * One 32-bit word is the beginning of a uniform number U in [0, 1), and X is read off from which thresholds lie above
 * U; fill draws the second half of a word only when the first does not tell. When the word alone does not tell on which
 * side of a threshold U lies, more bits of U are drawn and the threshold is bounded more narrowly, in integers, until it
 * does. No floating-point arithmetic is involved and no tail is cut: below the last threshold of the table noise goes on,
 * by the memoryless property, with the reference sampler. The construction and its proof: discrete-laplace.proof.md.
 *
 * Throws RangeError unless the scale lies between 1/65536 and 65536, and when a draw does not fit 32 bits, which has
 * probability below e^−32767.
 *
 * @contract C7
 */
export function discreteLaplace(scale: Rational, source: RandomSource): DiscreteLaplace {
  const table = tableOf(scale);
  const { guide, floors, thresholds } = table;
  const coins = exactCoins(source);

  /** The word that begins with this half. */
  const continued = (half: number): number => ((half << HALF_BITS) | (source.uint32() >>> HALF_BITS)) >>> 0;

  /** The value of a word that the guide does not decide. */
  function search(word: number): number {
    let [low, high] = [0, floors.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (floors[middle]! > word) low = middle + 1;
      else high = middle;
    }
    const above = low < floors.length && floors[low] === word ? refine(word, low) : low;
    return above < floors.length ? valueBelow(above) : beyondTable();
  }

  /** Number of thresholds above U, which begins with the word, when those before `first` are known to be. */
  function refine(word: number, first: number): number {
    let [above, digits, bits] = [first, BigInt(word), 32];
    while (above < floors.length) {
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

  /** X, given that |X| exceeds every magnitude of the table: either sign alike, and the excess geometric again. */
  function beyondTable(): number {
    const smallest = BigInt((floors.length + 1) / 2);
    const magnitude = Number(smallest + geometric(scale, coins));
    if (magnitude >= 2 ** 31) throw new RangeError('a draw of noise does not fit 32 bits');
    return coins.flip(1n, 2n) ? -magnitude : magnitude;
  }

  return {
    draw() {
      const word = source.uint32();
      const guided = guide[word >>> GUIDE_SHIFT]!;
      return guided === UNDECIDED ? search(word) : guided;
    },
    fill(target) {
      const halves = new Uint16Array(Math.min(target.length, HALVES_AT_A_TIME));
      for (let start = 0; start < target.length; start += halves.length) {
        const end = Math.min(start + halves.length, target.length);
        source.fill(halves);
        for (let place = start; place < end; place++) {
          const half = halves[place - start]!;
          const guided = guide[half >>> (GUIDE_SHIFT - HALF_BITS)]!;
          target[place] = guided === UNDECIDED ? search(continued(half)) : guided;
        }
      }
      halves.fill(0);
    },
  };
}
