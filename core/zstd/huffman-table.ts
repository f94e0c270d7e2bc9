import { BackwardBits, highestBit } from './bits.ts';
import { readFseTable } from './fse-table.ts';

/** A Huffman code as a table: the next `width` bits → symbol, and how many of them are its code. */
export type HuffmanTable = { width: number; symbol: Uint8Array; bits: Uint8Array };

/** The longest code. RFC 8878, section 4.2.1. */
const MOST_BITS = 11;
const SYMBOLS = 256;

/** Reads a code as frames describe it, and how many bytes that takes. Throws SyntaxError. RFC 8878, section 4.2.1. */
export function readHuffmanTable(bytes: Uint8Array): { table: HuffmanTable; length: number } {
  const head = bytes[0] ?? 0;
  const length = head < 128 ? head : Math.ceil((head - 127) / 2);
  if (bytes.length < 1 + length) throw new SyntaxError('a code of the frame has no end');
  const described = bytes.subarray(1, 1 + length);
  const weights = head < 128 ? compressedWeights(described) : plainWeights(described, head - 127);
  return { table: tableOf(weights), length: 1 + length };
}

const plainWeights = (bytes: Uint8Array, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? bytes[at >> 1]! >> 4 : bytes[at >> 1]! & 15));

/** Two states take turns until the bits are used up. RFC 8878, section 4.2.1.2. */
function compressedWeights(bytes: Uint8Array): number[] {
  const { table, length } = readFseTable(bytes, MOST_BITS + 1, 6);
  const source = new BackwardBits(bytes.subarray(length));
  const states = [source.read(table.accuracy), source.read(table.accuracy)];
  const weights: number[] = [];
  for (let turn = 0; weights.length < SYMBOLS; turn = 1 - turn) {
    const state = states[turn]!;
    weights.push(table.symbol[state]!);
    states[turn] = table.base[state]! + source.read(table.bits[state]!);
    if (source.left < 0) {
      weights.push(table.symbol[states[1 - turn]!]!);
      return weights;
    }
  }
  throw new SyntaxError('a code of the frame has too many symbols');
}

/** The weight of the last symbol is what is missing to a power of two. RFC 8878, section 4.2.1. */
function tableOf(weights: readonly number[]): HuffmanTable {
  const sum = weights.reduce((total, weight) => total + (weight > 0 ? 1 << (weight - 1) : 0), 0);
  const width = highestBit(sum) + 1;
  const missing = (1 << width) - sum;
  if (sum === 0 || width > MOST_BITS || (missing & (missing - 1)) !== 0 || weights.length >= SYMBOLS)
    throw new SyntaxError('a code of the frame does not add up');
  const all = [...weights, highestBit(missing) + 1];
  const table = { width, symbol: new Uint8Array(1 << width), bits: new Uint8Array(1 << width) };
  let place = 0;
  for (let weight = 1; weight <= width; weight++)
    for (const [symbol, own] of all.entries()) {
      if (own !== weight) continue;
      const until = place + (1 << (weight - 1));
      table.symbol.fill(symbol, place, until);
      table.bits.fill(width + 1 - weight, place, until);
      place = until;
    }
  return table;
}

/** Decodes one stream into `into`, all of it. Throws SyntaxError when the bits do not end with it. */
export function decodeHuffman({ width, symbol, bits }: HuffmanTable, bytes: Uint8Array, into: Uint8Array): void {
  const source = new BackwardBits(bytes);
  const mask = (1 << width) - 1;
  let window = source.read(width);
  for (let at = 0; at < into.length; at++) {
    into[at] = symbol[window]!;
    const length = bits[window]!;
    window = ((window << length) & mask) | source.read(length);
  }
  if (source.left !== -width) throw new SyntaxError('a stream of the frame has another length');
}
