import { type Enclosure, encloseDecay, type Fraction, integerPower } from './enclosure.ts';

/** Cells that only one unit fills: the number of cells, and of taps in each. */
export type LoneCells = { cells: bigint; taps: bigint };

/**
 * The largest probability, over the possibilities, that noise lifts a lone cell to the threshold, so that the unit
 * shows: 1 − (1 − α^(T−c)/(1+α))^cells with α = e^(−rate).
 */
export function loneCellDelta(options: LoneCells[], threshold: bigint, rate: Fraction, places: number): Enclosure {
  const one = 1n << BigInt(places);
  const alpha = encloseDecay(rate, places);
  const largest = { low: 0n, high: 0n };
  for (const { cells, taps } of options) {
    const tail = integerPower(alpha, threshold - taps, places);
    const low = (tail.low * one) / (one + alpha.high);
    const high = (tail.high * one) / (one + alpha.low) + 1n;
    const miss = integerPower({ low: one - high, high: one - low }, cells, places);
    if (one - miss.high > largest.low) largest.low = one - miss.high;
    if (one - miss.low > largest.high) largest.high = one - miss.low;
  }
  return largest;
}
