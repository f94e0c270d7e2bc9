import { Readable } from 'node:stream';
import { OpalineError } from '../../contracts/errors.ts';
import type { ByteRange, ObjectBody, ObjectFacts, ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { bytesOf } from './body-stream.ts';
import { sha256 } from './json-objects.ts';

/**
 * An object store in the memory of this process, which nobody else sees and which is gone with it: for work that must
 * leave nothing behind. Objects are as small as the process has room for.
 */
export class MemoryStore implements ObjectStore {
  readonly location = 'memory';
  readonly #objects = new Map<string, Buffer>();

  async get(key: string, range?: ByteRange): Promise<{ stream: Readable; facts: ObjectFacts }> {
    const bytes = this.#objects.get(key);
    if (bytes === undefined) throw new OpalineError('OBJECT_MISSING', 'An object is not there (memory).');
    return {
      stream: Readable.from([Buffer.from(bytes.subarray(range?.start, range?.end))]),
      facts: factsOf(key, bytes),
    };
  }

  async putIfAbsent(key: string, body: ObjectBody): Promise<'created' | 'exists'> {
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : await bytesOf(body.stream);
    if (this.#objects.has(key)) return 'exists';
    this.#objects.set(key, bytes);
    return 'created';
  }

  async readPage(key: string): Promise<PageObject | null> {
    const bytes = this.#objects.get(key);
    return bytes === undefined ? null : { bytes, tag: factsOf(key, bytes).tag };
  }

  async swapPage(key: string, current: PageObject | null, bytes: Uint8Array): Promise<boolean> {
    if ((await this.readPage(key))?.tag !== current?.tag) return false;
    this.#objects.set(key, Buffer.from(bytes));
    return true;
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    for (const key of [...this.#objects.keys()].filter((one) => one.startsWith(prefix)).sort())
      yield factsOf(key, this.#objects.get(key)!);
  }

  async head(key: string): Promise<ObjectFacts | null> {
    const bytes = this.#objects.get(key);
    return bytes === undefined ? null : factsOf(key, bytes);
  }
}

const factsOf = (key: string, bytes: Buffer): ObjectFacts => ({ key, size: bytes.length, tag: sha256(bytes) });
