import { ForwardBits, highestBit } from './bits.ts';

/** A decoding table of Finite State Entropy: state → symbol, bits to read, and base of the next state. */
export type FseTable = { accuracy: number; symbol: Uint8Array; bits: Uint8Array; base: Uint16Array };

/**
 * Makes the table of a distribution: the probability of each symbol in 2^-accuracy, -1 for one below that. Throws
 * SyntaxError for one that does not add up. RFC 8878, section 4.1.1.
 */
export function fseTable(distribution: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const table = {
    accuracy,
    symbol: new Uint8Array(size),
    bits: new Uint8Array(size),
    base: new Uint16Array(size),
  };
  const next = distribution.map((share) => (share === -1 ? 1 : share));
  if (next.reduce((sum, share) => sum + share, 0) !== size) throw new SyntaxError('a distribution does not add up');
  let rare = size;
  for (const [symbol, share] of distribution.entries()) if (share === -1) table.symbol[--rare] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  for (const [symbol, share] of distribution.entries())
    for (let times = 0; times < share; times++) {
      table.symbol[place] = symbol;
      do place = (place + step) & (size - 1);
      while (place >= rare);
    }
  for (let state = 0; state < size; state++) {
    const symbol = table.symbol[state]!;
    const reached = next[symbol]!;
    next[symbol] = reached + 1;
    const bits = accuracy - highestBit(reached);
    table.bits[state] = bits;
    table.base[state] = (reached << bits) - size;
  }
  return table;
}

/** The table in which every state gives one symbol. RFC 8878, section 3.1.1.3.2.1.1. */
export const constantTable = (symbol: number): FseTable => ({
  accuracy: 0,
  symbol: Uint8Array.of(symbol),
  bits: Uint8Array.of(0),
  base: Uint16Array.of(0),
});

/**
 * Reads a table as frames describe it, and how many bytes that takes. Throws SyntaxError for one that is no table, or is
 * of more symbols or of a higher accuracy than allowed. RFC 8878, section 4.1.1.
 */
export function readFseTable(
  bytes: Uint8Array,
  symbols: number,
  mostAccuracy: number,
): { table: FseTable; length: number } {
  const source = new ForwardBits(bytes);
  const accuracy = source.read(4) + 5;
  if (accuracy > mostAccuracy) throw new SyntaxError('a table of the frame is too large');
  const distribution: number[] = [];
  let left = 1 << accuracy;
  while (left > 0) {
    const share = readShare(source, left);
    left -= Math.abs(share);
    distribution.push(share);
    if (share === 0) for (const _ of zeros(source)) distribution.push(0);
    if (distribution.length > symbols) throw new SyntaxError('a table of the frame has too many symbols');
  }
  return { table: fseTable(distribution, accuracy), length: source.bytesRead };
}

/** A number from -1 to `left`, in as few bits as tell it from the others. */
function readShare(source: ForwardBits, left: number): number {
  const bits = highestBit(left + 1) + 1;
  const value = source.read(bits);
  const low = value & ((1 << (bits - 1)) - 1);
  const short = (1 << bits) - 2 - left;
  if (low < short) {
    source.unread(1);
    return low - 1;
  }
  return (value > low ? value - short : value) - 1;
}

/** One step for each further symbol that never comes. */
function* zeros(source: ForwardBits): Generator<void> {
  for (let more = 3; more === 3; ) {
    more = source.read(2);
    for (let times = 0; times < more; times++) yield;
  }
}
