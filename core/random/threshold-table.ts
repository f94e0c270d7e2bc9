/** A fixed-point interval: lower ≤ value·2^bits ≤ upper, for the number of bits that was asked for. */
export type FixedBounds = { readonly lower: bigint; readonly upper: bigint };

/**
 * The points at which one uniform number U in [0, 1) decides the value of X, a noise that is symmetric about 0, numbered
 * from 0 downwards: threshold 2m − 2 is P[|X| ≥ m], threshold 2m − 1 is P[|X| ≥ m] − P[X = m], m = 1, 2, 3 …
 *
 * If n thresholds are above U, then X is 0 for n = 0, (n+1)/2 for odd n and −n/2 for even n (valueBelow). The function
 * bounds a threshold to the given number of bits; more bits give narrower bounds, by which any two different numbers are
 * distinguished in the end.
 */
export type Thresholds = (index: number, bits: number) => FixedBounds;

/** Most thresholds in a table: it takes 256 KiB then. */
export const MOST_THRESHOLDS = 2 ** 16 - 1;
/** Leading bits of a word that a guide is asked with: `coarse`, and where these do not decide, `fine`. */
export const GUIDE_BITS = { coarse: 13, fine: 16 } as const;
/** Guide entry for words that share their first bits and not their value. */
export const UNDECIDED = -(2 ** 15);

/** The law of a noise, laid out over 32-bit words. A pure function of its thresholds. */
export type ThresholdTable = {
  /** floor(threshold·2^32) of the thresholds in their order, falling. Their number is odd. */
  readonly floors: Uint32Array;
  /**
   * Values for the first GUIDE_BITS of a word, where these decide; else UNDECIDED. The coarse guide stays in the
   * cache.
   */
  readonly guides: { readonly coarse: Int16Array; readonly fine: Int16Array };
  /** Bounds of each threshold to any number of bits. */
  readonly thresholds: Thresholds;
};

/** The value between the threshold with this number and the one before it. */
export const valueBelow = (thresholdsAbove: number): number =>
  thresholdsAbove % 2 === 1 ? (thresholdsAbove + 1) / 2 : -thresholdsAbove / 2 + 0;

/** Lays out the table: thresholds down to the first that is less than 2^−32, or MOST_THRESHOLDS of them. */
export function thresholdTable(thresholds: Thresholds): ThresholdTable {
  const floors: number[] = [];
  // An odd number of thresholds ends between −m and m+1, so that what is below is |X| > m, both signs alike.
  while (floors.length < MOST_THRESHOLDS && !(floors.length % 2 === 1 && floors.at(-1) === 0))
    floors.push(floorOfThreshold(thresholds, floors.length));
  const table = Uint32Array.from(floors);
  const guides = { coarse: guideOf(table, GUIDE_BITS.coarse), fine: guideOf(table, GUIDE_BITS.fine) };
  return { floors: table, guides, thresholds };
}

/** floor(threshold·2^32): bounds are narrowed until they agree on it. */
function floorOfThreshold(thresholds: Thresholds, index: number): number {
  for (let extra = 32; ; extra *= 2) {
    const { lower, upper } = thresholds(index, 32 + extra);
    const floor = lower >> BigInt(extra);
    if (floor === upper >> BigInt(extra)) return Number(floor);
  }
}

/** Decides every word whose neighbours with the same first bits have the same value, by the floors alone. */
function guideOf(floors: Uint32Array, bits: number): Int16Array {
  const guide = new Int16Array(2 ** bits).fill(UNDECIDED);
  const width = 2 ** (32 - bits);
  let above = 0;
  for (let entry = guide.length - 1; entry >= 0; entry--) {
    const first = entry * width;
    while (above < floors.length && floors[above]! >= first + width) above++;
    // What is below the last threshold has no value in the table.
    if (above === floors.length) break;
    if (floors[above]! < first) guide[entry] = valueBelow(above);
  }
  return guide;
}
