import { decodeHuffman, type HuffmanTable, readHuffmanTable } from './huffman-table.ts';
import { SequenceReader } from './sequences.ts';

/** A block, and the literals of one, are at most so long. RFC 8878, section 3.1.1.2.4. */
const MOST_BLOCK_BYTES = 128 * 1024;
const MAGIC = 0xfd2fb528;
const CHECKSUM_BYTES = 4;

/**
 * Undoes Zstandard compression of one frame without dictionary, in the `length` bytes that it gives. For a Node that
 * cannot do it: whoever verifies has any Node. The checksum that a frame may have is not looked at: what is verified has
 * a digest. Throws SyntaxError for bytes that are no such frame, or of another length. RFC 8878. Cost: O(length), some
 * ten times that of the library in C.
 */
export function decompressZstd(bytes: Uint8Array, length: number): Uint8Array {
  const { start, hasChecksum } = readHeader(bytes, length);
  const blocks = new BlockReader(length);
  let at = start;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > bytes.length) throw new SyntaxError('the frame has no end');
    const header = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    isLast = (header & 1) === 1;
    const [kind, size] = [(header >> 1) & 3, header >> 3];
    const stored = kind === 1 ? 1 : size;
    at += 3;
    if (at + stored > bytes.length || size > MOST_BLOCK_BYTES) throw new SyntaxError('a block is too long');
    blocks.add(kind, bytes.subarray(at, at + stored), size);
    at += stored;
  }
  if (at + (hasChecksum ? CHECKSUM_BYTES : 0) !== bytes.length) throw new SyntaxError('more follows the frame');
  return blocks.whole();
}

/** Where the blocks begin. RFC 8878, section 3.1.1.1. */
function readHeader(bytes: Uint8Array, length: number): { start: number; hasChecksum: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== MAGIC) throw new SyntaxError('it is no Zstandard frame');
  const flags = bytes[4]!;
  const isSingle = (flags & 32) !== 0;
  if ((flags & 11) !== 0) throw new SyntaxError('the frame has a dictionary or a reserved flag');
  const sizeAt = isSingle ? 5 : 6;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  if (bytes.length < sizeAt + sizeBytes) throw new SyntaxError('the frame has no end');
  const size = [
    () => (isSingle ? bytes[sizeAt]! : length),
    () => view.getUint16(sizeAt, true) + 256,
    () => view.getUint32(sizeAt, true),
    () => Number(view.getBigUint64(sizeAt, true)),
  ][flags >> 6]!();
  if (size !== length) throw new SyntaxError('the frame is of another length');
  return { start: sizeAt + sizeBytes, hasChecksum: (flags & 4) !== 0 };
}

/** Puts the content of blocks one after the other. */
class BlockReader {
  private readonly out: Uint8Array;
  private filled = 0;
  private code: HuffmanTable | null = null;
  private readonly sequences = new SequenceReader();

  constructor(length: number) {
    this.out = new Uint8Array(length);
  }

  whole(): Uint8Array {
    if (this.filled !== this.out.length) throw new SyntaxError('the frame is of another length');
    return this.out;
  }

  add(kind: number, bytes: Uint8Array, size: number): void {
    switch (kind) {
      case 0:
        this.append(bytes);
        return;
      case 1:
        this.room(size);
        this.out.fill(bytes[0]!, this.filled, this.filled + size);
        this.filled += size;
        return;
      case 2:
        this.addCompressed(bytes);
        return;
      default:
        throw new SyntaxError('a block is of a reserved kind');
    }
  }

  private room(size: number): void {
    if (this.filled + size > this.out.length) throw new SyntaxError('the frame is of another length');
  }

  private append(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.out.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  private addCompressed(bytes: Uint8Array): void {
    const { literals, length } = this.readLiterals(bytes);
    let used = 0;
    for (const { literals: count, match, offset } of this.sequences.read(bytes.subarray(length))) {
      if (used + count > literals.length) throw new SyntaxError('a block has too few literals');
      this.append(literals.subarray(used, used + count));
      used += count;
      this.repeat(offset, match);
    }
    this.append(literals.subarray(used));
  }

  /** Copies from what is there; the copy may reach into itself. */
  private repeat(offset: number, count: number): void {
    this.room(count);
    if (offset < 1 || offset > this.filled) throw new SyntaxError('a match points before the beginning');
    const { out, filled } = this;
    if (offset >= count) out.copyWithin(filled, filled - offset, filled - offset + count);
    else for (let at = filled; at < filled + count; at++) out[at] = out[at - offset]!;
    this.filled += count;
  }

  /** The literals of a block, and how many bytes they take. RFC 8878, section 3.1.1.3.1. */
  private readLiterals(bytes: Uint8Array): { literals: Uint8Array; length: number } {
    const head = bytes[0] ?? 0;
    const [kind, form] = [head & 3, (head >> 2) & 3];
    const little = (count: number): number =>
      Array.from({ length: count }, (_, at) => (bytes[at] ?? 0) * 256 ** at).reduce((sum, part) => sum + part, 0);
    if (kind < 2) {
      const headBytes = [1, 2, 1, 3][form]!;
      const size = Math.floor(little(headBytes) / (headBytes === 1 ? 8 : 16));
      const length = headBytes + (kind === 1 ? 1 : size);
      if (size > MOST_BLOCK_BYTES || length > bytes.length)
        throw new SyntaxError('the literals of a block are too long');
      const literals = bytes.subarray(headBytes, headBytes + size);
      return { literals: kind === 1 ? new Uint8Array(size).fill(bytes[headBytes]!) : literals, length };
    }
    const headBytes = [3, 3, 4, 5][form]!;
    const width = 2 ** [10, 10, 14, 18][form]!;
    const sizes = Math.floor(little(headBytes) / 16);
    const [size, stored] = [sizes % width, Math.floor(sizes / width)];
    const length = headBytes + stored;
    if (size > MOST_BLOCK_BYTES || length > bytes.length) throw new SyntaxError('the literals of a block are too long');
    return { literals: this.decode(bytes.subarray(headBytes, length), kind === 2, form === 0 ? 1 : 4, size), length };
  }

  private decode(bytes: Uint8Array, hasCode: boolean, streams: 1 | 4, size: number): Uint8Array {
    let rest = bytes;
    if (hasCode) {
      const { table, length } = readHuffmanTable(bytes);
      this.code = table;
      rest = bytes.subarray(length);
    }
    if (!this.code) throw new SyntaxError('a block repeats a code that there is not');
    const literals = new Uint8Array(size);
    if (streams === 1) {
      decodeHuffman(this.code, rest, literals);
      return literals;
    }
    const lengths = [0, 2, 4].map((at) => (rest[at] ?? 0) | ((rest[at + 1] ?? 0) << 8));
    const part = Math.ceil(size / 4);
    let at = 6;
    for (let stream = 0; stream < 4; stream++) {
      const until = stream === 3 ? rest.length : at + lengths[stream]!;
      const into = literals.subarray(
        Math.min(size, stream * part),
        stream === 3 ? size : Math.min(size, (stream + 1) * part),
      );
      if (until > rest.length) throw new SyntaxError('a stream of the frame has no end');
      decodeHuffman(this.code, rest.subarray(at, until), into);
      at = until;
    }
    return literals;
  }
}
