import type { Rational } from '../rational/rational.ts';
import { isDrawable } from './drawable-scale.ts';
import { laplaceThresholds } from './laplace-thresholds.ts';

/** Most thresholds in a table: it takes 128 KiB then, and whatever lies beyond goes on without a table. */
export const MOST_THRESHOLDS = 2 ** 15 - 1;
/** The guide is asked with the first so many bits of a word. */
export const GUIDE_BITS = 13;
/** Guide entry for words that share their first bits and not their value. */
export const UNDECIDED = -(2 ** 15);

/** The law of discrete Laplace noise of one scale, laid out over 32-bit words. A pure function of the scale. */
export type DiscreteLaplaceTable = {
  /** floor(threshold·2^32) of the thresholds in their order, falling. Their number is odd. */
  readonly floors: Uint32Array;
  /** Value for the first GUIDE_BITS bits of a word, where these decide; else UNDECIDED. */
  readonly guide: Int16Array;
  /** Bounds of each threshold to any number of bits. */
  readonly thresholds: ReturnType<typeof laplaceThresholds>;
};

/** The value that lies between the threshold with this number and the one before it. */
export const valueBelow = (thresholdsAbove: number): number =>
  thresholdsAbove % 2 === 1 ? (thresholdsAbove + 1) / 2 : -thresholdsAbove / 2 + 0;

/**
 * Lays out the table: thresholds down to the first that is less than 2^−32, or MOST_THRESHOLDS of them. Throws
 * RangeError unless the scale lies between 1/65536 and 65536.
 */
export function discreteLaplaceTable(scale: Rational): DiscreteLaplaceTable {
  if (!isDrawable(scale)) throw new RangeError('the scale of discrete Laplace noise lies between 1/65536 and 65536');
  const thresholds = laplaceThresholds(scale);
  const floors: number[] = [];
  // An odd number of thresholds ends between −m and m+1, so that what lies below is |X| > m, both signs alike.
  while (floors.length < MOST_THRESHOLDS && !(floors.length % 2 === 1 && floors.at(-1) === 0))
    floors.push(floorOfThreshold(thresholds, floors.length));
  const table = Uint32Array.from(floors);
  return { floors: table, guide: guideOf(table), thresholds };
}

/** floor(threshold·2^32): bounds are narrowed until they agree on it, as they must, the threshold being irrational. */
function floorOfThreshold(thresholds: ReturnType<typeof laplaceThresholds>, index: number): number {
  for (let extra = 32; ; extra *= 2) {
    const { lower, upper } = thresholds(index, 32 + extra);
    const floor = lower >> BigInt(extra);
    if (floor === upper >> BigInt(extra)) return Number(floor);
  }
}

/** Decides every word whose neighbours with the same first bits have the same value, by the floors alone. */
function guideOf(floors: Uint32Array): Int16Array {
  const guide = new Int16Array(2 ** GUIDE_BITS).fill(UNDECIDED);
  const width = 2 ** (32 - GUIDE_BITS);
  let above = 0;
  for (let entry = guide.length - 1; entry >= 0; entry--) {
    const first = entry * width;
    while (above < floors.length && floors[above]! >= first + width) above++;
    // What lies below the last threshold has no value in the table.
    if (above === floors.length) break;
    if (floors[above]! < first) guide[entry] = valueBelow(above);
  }
  return guide;
}
