import { type Readable, Transform } from 'node:stream';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectBody } from '../../contracts/object-store.ts';

/**
 * Runs `action`, which may read the body's stream or not, and destroys the stream at the end: a store owns what it is
 * given. An error of the stream between two reads is kept from ending the process; whoever reads next meets it.
 */
export async function ownStream<T>(body: ObjectBody, action: () => Promise<T>): Promise<T> {
  if (body instanceof Uint8Array) return action();
  body.stream.on('error', () => {});
  try {
    return await action();
  } finally {
    body.stream.destroy();
  }
}

/**
 * Passes bytes on, and fails with OBJECT_UNREADABLE unless there are exactly `size` of them: a source that ended early
 * must not become an object.
 */
export function exactly(size: number): Transform {
  let count = 0;
  const mismatch = () =>
    new OpalineError('OBJECT_UNREADABLE', 'A stream did not deliver as many bytes as were announced; read it again.');
  return new Transform({
    transform(chunk: Uint8Array, _encoding, callback) {
      count += chunk.byteLength;
      if (count > size) callback(mismatch());
      else callback(null, chunk);
    },
    flush(callback) {
      callback(count === size ? null : mismatch());
    },
  });
}

/** All bytes of a stream. Node's `buffer` would take them through a Blob, which is slow. */
export async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** The source of an upload failed, and not the store: `cause` is what it failed with. */
export class BrokenSource extends Error {
  constructor(cause: unknown) {
    super('the source of an upload failed', { cause });
  }
}

/**
 * Cuts a stream into pieces of `length` bytes; the last may be shorter, none is empty. A piece is valid until the next
 * is asked for. Throws BrokenSource.
 */
export async function* cut(stream: Readable, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  const piece = Buffer.allocUnsafe(length);
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      for (let offset = 0; offset < chunk.byteLength; ) {
        const part = chunk.subarray(offset, offset + length - size);
        piece.set(part, size);
        size += part.byteLength;
        offset += part.byteLength;
        if (size < length) continue;
        yield piece;
        size = 0;
      }
    }
  } catch (error) {
    throw new BrokenSource(error);
  }
  if (size > 0) yield piece.subarray(0, size);
}
