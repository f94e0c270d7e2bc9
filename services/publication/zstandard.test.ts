import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decompressInJavaScript } from './parquet-columns.ts';

/** Contents of every shape that a compressor treats in its own way. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.string({ maxLength: 2000 }).map((text) => Buffer.from(text)),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 9000 }))
    .map(([word, times]) => Buffer.concat(Array.from({ length: times }, () => word))),
  fc
    .tuple(fc.integer({ min: 1, max: 255 }), fc.integer({ min: 1, max: 200_000 }), fc.integer())
    .map(([symbols, length, seed]) => skewed(symbols, length, seed)),
);

/** Bytes of this number of symbols, of which the small ones are the most frequent. */
function skewed(symbols: number, length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = (seed >>> 0) + 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const uniform = state / 2 ** 32;
    bytes[at] = Math.floor(uniform * uniform * uniform * symbols);
  }
  return bytes;
}

const compress = (bytes: Uint8Array, level: number, checksum: boolean): Buffer =>
  zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
    },
  });

test('what the library has compressed comes back, at every level', () => {
  fc.assert(
    fc.property(contents, fc.integer({ min: -5, max: 19 }), fc.boolean(), (bytes, level, checksum) => {
      const again = decompressInJavaScript(compress(bytes, level, checksum), bytes.length);
      expect(Buffer.from(again).equals(Buffer.from(bytes))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a table of many blocks comes back', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, row) => `bus,20260302,on,0${row % 10}:15,stop ${(row * 7919) % 2003},${row}\n`,
  );
  const text = Buffer.from(lines.join(''));
  for (const level of [1, 3, 19]) {
    const again = decompressInJavaScript(compress(text, level, false), text.length);
    expect(Buffer.from(again).equals(text)).toBe(true);
  }
});

test('of damaged bytes, or of a frame of another length, never more is given than was asked for', () => {
  const text = Buffer.from('the quick brown fox jumps over the lazy dog; '.repeat(60));
  const frame = compress(text, 3, false);
  const givesMore = (bytes: Buffer, length: number): boolean =>
    (settled(() => decompressInJavaScript(bytes, length))?.length ?? 0) > length;
  for (const length of [0, text.length - 1, text.length + 1]) expect(givesMore(frame, length)).toBe(false);
  for (let end = 0; end < frame.length; end++) expect(givesMore(frame.subarray(0, end), text.length)).toBe(false);
  fc.assert(
    fc.property(
      fc.constantFrom(frame, compress(skewed(200, 5000, 7), 19, false)),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (whole, place, change) => {
        const damaged = Buffer.from(whole);
        damaged[place % damaged.length]! ^= change;
        expect(givesMore(damaged, text.length)).toBe(false);
      },
    ),
    { numRuns: 800 },
  );
});

/** What it gives, or null when it throws. */
function settled(work: () => Uint8Array): Uint8Array | null {
  try {
    return work();
  } catch {
    return null;
  }
}
