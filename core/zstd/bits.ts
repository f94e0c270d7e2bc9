/** Bits of bytes, the lowest bit of each byte first. Throws SyntaxError past the end. RFC 8878, section 4.1.1. */
export class ForwardBits {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The next `count` bits, at most 16, as a number. */
  read(count: number): number {
    if (this.at + count > this.bytes.length * 8) throw new SyntaxError('a table of the frame has no end');
    const value = bitsAt(this.bytes, this.at, count);
    this.at += count;
    return value;
  }

  /** Gives bits back. */
  unread(count: number): void {
    this.at -= count;
  }

  /** Whole bytes that have been read from. */
  get bytesRead(): number {
    return Math.ceil(this.at / 8);
  }
}

/**
 * Bits of a byte sequence from its end: the highest bit that is set in the last byte says where they begin. Before the
 * first bit there are zeros: `left` is negative then, and callers look at it. RFC 8878, section 4.1.
 */
export class BackwardBits {
  private readonly bytes: Uint8Array;
  /** Bits that have not been read; negative by as many as were read before the first one. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes[bytes.length - 1] ?? 0;
    if (last === 0) throw new SyntaxError('a bit stream of the frame does not say where it begins');
    this.bytes = bytes;
    this.left = bytes.length * 8 - 8 + highestBit(last);
  }

  /** The next `count` bits, at most 32, as a number; the first one is the highest. */
  read(count: number): number {
    if (count > 16) return this.read(count - 16) * 65_536 + this.read(16);
    this.left -= count;
    if (this.left >= 0) return bitsAt(this.bytes, this.left, count);
    const there = count + this.left;
    return there > 0 ? bitsAt(this.bytes, 0, there) << -this.left : 0;
  }
}

/** `count` bits, at most 16, from bit `start` on. */
function bitsAt(bytes: Uint8Array, start: number, count: number): number {
  const first = start >>> 3;
  const three = (bytes[first] ?? 0) | ((bytes[first + 1] ?? 0) << 8) | ((bytes[first + 2] ?? 0) << 16);
  return (three >>> (start & 7)) & ((1 << count) - 1);
}

/** Place of the highest bit that is set, from 0; -1 for 0. */
export const highestBit = (value: number): number => 31 - Math.clz32(value);
