import type { Readable } from 'node:stream';

/** What a store says of an object without its bytes. `tag` changes with the bytes (an ETag, or the folder's own). */
export type ObjectFacts = { key: string; size: number; tag: string };

/** A half-open byte range: `start` included, `end` excluded. */
export type ByteRange = { start: number; end: number };

/**
 * Bytes in memory, or a stream. A stream of unknown size is spooled to scratch by the adapter that needs the length.
 * `inParts`: to a server that takes uploads in parts it is one, however short it is.
 */
export type ObjectBody = Uint8Array | { stream: Readable; size?: number; inParts?: true };

/** A page as it was read: mutable bytes of any form. The writer sees to it that no two swaps of a key write the same. */
export type PageObject = { bytes: Uint8Array; tag: string };

/**
 * One object store: a folder or an S3 bucket with a prefix. Keys are relative, `/`-separated, never start with `/`
 * and never contain `..`. Objects are write-once, except for pages, which go through swapPage.
 * Errors: OpalineError STORE_UNAVAILABLE (retryable) when the store does not answer, OBJECT_MISSING when a key is absent.
 */
export interface ObjectStore {
  /** Where the store is, for people: `folder:…` or `s3://bucket/prefix`. Holds no credentials. */
  readonly location: string;
  /** What the server called itself in its last answer, often with its version; absent where there is no server. */
  readonly server?: string;
  /** Streams an object, or a part of it. Throws OBJECT_MISSING. */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; facts: ObjectFacts }>;
  /**
   * Writes an object if the key is free. Of any number of racing writers at most one gets `created`: after a lost answer
   * even the winner reads `exists`, so who needs to know compares the bytes (putOnce does).
   */
  putIfAbsent(key: string, body: ObjectBody): Promise<'created' | 'exists'>;
  /** The page at the key, or null. */
  readPage(key: string): Promise<PageObject | null>;
  /**
   * Replaces a page if it is still the one that was read (`null`: if there is none). Of racing writers at most one gets
   * true; after a lost answer possibly none does.
   */
  swapPage(key: string, current: PageObject | null, bytes: Uint8Array): Promise<boolean>;
  /** All objects whose key starts with the prefix, in lexicographic order of the key. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
  /** Facts of one object, or null. */
  head(key: string): Promise<ObjectFacts | null>;
}

/** What reading publications needs of a store: a folder has it, and so has an address of the web. */
export type ObjectReader = Pick<ObjectStore, 'get' | 'list'>;
