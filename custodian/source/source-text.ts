import { createReadStream } from 'node:fs';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Series } from '../../contracts/series.ts';
import { withZip } from '../../services/files/zip-file.ts';

/** How the bytes of an object become text. */
export type TextSource = Pick<Series['source'], 'compression'> & Partial<Pick<Series['source'], 'encoding'>>;

const CHUNK = 1 << 20;

/**
 * The text of an object in UTF-8: decompressed, and decoded when the series names another encoding. Of a ZIP archive it
 * is the one file in it; an archive of none or of several is damaged for this purpose.
 */
export function sourceText(path: string, { compression, encoding }: TextSource): Readable {
  const bytes = unpack(path, compression);
  return encoding === 'latin-1' ? Readable.from(decode(bytes)) : bytes;
}

/** The same without the decoding, which cannot fail. */
export function unpack(path: string, compression: TextSource['compression']): Readable {
  switch (compression) {
    case 'none':
      return Readable.from(plain(path));
    case 'gzip':
      return through(path, createGunzip({ chunkSize: CHUNK }));
    case 'zip':
      return Readable.from(unzip(path));
  }
}

/** Opened when it is read, so that a file that is not there is an error of its reader. */
async function* plain(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: CHUNK });
}

/** The copy was verified at ingest; an error of the file has to reach the reader all the same. */
function through(path: string, decompress: Duplex): Readable {
  pipeline(createReadStream(path, { highWaterMark: CHUNK }), decompress).catch(() => undefined);
  return Readable.from(decompress);
}

async function* unzip(path: string): AsyncGenerator<Buffer> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const entry = Promise.withResolvers<Readable>();
  const archive = withZip(path, async ({ names, read }) => {
    if (names.length !== 1) throw new Error('an archive is to hold one file');
    entry.resolve(await read(names[0]!));
    await ended;
  });
  archive.catch(entry.reject);
  try {
    yield* await entry.promise;
  } finally {
    end();
    await archive.catch(() => undefined);
  }
}

/** What people call Latin-1 is written by Windows: 0x80 to 0x9f are the characters of windows-1252 (WHATWG Encoding). */
async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('windows-1252');
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
}
