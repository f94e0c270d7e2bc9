import zlib from 'node:zlib';
import { decompress } from 'fzstd';

/** Node has it from 22.15 on; whoever verifies has any Node. */
const hasZstandard = typeof zlib.zstdDecompressSync === 'function';

/** The bytes that were compressed, `length` at most. Throws for bytes that are no Zstandard frame. */
export const decompressZstandard = (bytes: Uint8Array, length: number): Uint8Array =>
  hasZstandard
    ? zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) })
    : decompressInJavaScript(bytes, length);

/**
 * The same for any Node; several times slower. The memory that it takes is given, whatever the bytes say; a damaged frame
 * may give other bytes, as no checksum is looked at: what is verified has a digest.
 */
export const decompressInJavaScript = (bytes: Uint8Array, length: number): Uint8Array =>
  decompress(bytes, new Uint8Array(length));
