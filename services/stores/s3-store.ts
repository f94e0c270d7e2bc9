import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { finished, PassThrough, pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { nullOn, OpalineError } from '../../contracts/errors.ts';
import type { ByteRange, ObjectBody, ObjectFacts, ObjectStore, PageObject } from '../../contracts/object-store.ts';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { BrokenSource, bytesOf, cut, exactly, ownStream } from './body-stream.ts';
import { s3Client } from './s3-client.ts';
import { httpStatus, isConditionFailed, isConflict, isMissing, s3Error } from './s3-errors.ts';
import { MAXIMUM_PARTS, putPartsIfAbsent } from './s3-multipart.ts';
import { checkKey, checkRange } from './store-arguments.ts';

/**
 * Bytes of a part; a stream that is shorter is one PutObject. Held in memory, one for each upload that is under way.
 * Streams of unknown length can have 10,000 of them (160 GB); when the length is known, parts are as long as need be.
 */
export const PART_BYTES = 16 * 2 ** 20;

/** After this many answers of 409 to one write, 20 ms to 2.6 s apart, the store counts as unavailable. */
const CONFLICT_ATTEMPTS = 8;

/**
 * An object store in an S3 bucket whose server honours If-None-Match and If-Match (the canary checks that it does).
 * CopyObject is never used: servers have ignored the condition on it.
 *
 * A stream is never the body of a request: versitygw 1.8.0 stores what arrived as the object when a connection breaks
 * in the middle of one. Bytes are sent with their SHA-256 in the signed header, which a short body does not have, and
 * longer streams in such parts, which only Complete makes visible.
 *
 * When the connection is lost after a write succeeded, the repeated request finds the object and fails its condition.
 * So *at most* one of the racing writers learns that it won, and after such a loss maybe none: `exists` and `false`
 * mean "read what is there", and a caller compares it with what it wanted to write.
 */
export class S3Store implements ObjectStore {
  readonly location: string;
  server = '';
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  /** May its key be another one with the next request? */
  readonly #mayChange: boolean;

  constructor(configuration: S3StoreConfiguration) {
    const { bucket, prefix = '' } = configuration;
    const folder = prefix.replace(/\/$/, '');
    if (folder !== '') checkKey(folder);
    this.#bucket = bucket;
    this.#prefix = folder === '' ? '' : `${folder}/`;
    this.location = `s3://${bucket}${folder === '' ? '' : `/${folder}`}`;
    this.#client = s3Client(configuration);
    this.#mayChange = typeof configuration.credentials?.secretAccessKey !== 'string';
    this.#client.middlewareStack.add(
      (next) => async (request) => {
        const answer = await next(request);
        const { headers } = answer.response as { headers?: Record<string, string> };
        this.server = headers?.server ?? '';
        return answer;
      },
      { step: 'deserialize', name: 'rememberServer' },
    );
  }

  async get(key: string, range?: ByteRange): Promise<{ stream: Readable; facts: ObjectFacts }> {
    const target = this.#target(key);
    if (range !== undefined) checkRange(range);
    if (range !== undefined && range.start === range.end) return this.#emptyPart(key);
    try {
      // HTTP counts the end as included.
      const answer = await this.#client.send(
        new GetObjectCommand({ ...target, ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }) }),
      );
      if (!(answer.Body instanceof Readable)) throw new TypeError('an answer without a stream');
      // `bytes 0-9/100` says the size of the whole object.
      const size = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength);
      return { stream: this.#publicStream(answer.Body), facts: { key, size, tag: answer.ETag ?? '' } };
    } catch (error) {
      if (range !== undefined && httpStatus(error) === 416) return this.#emptyPart(key);
      throw this.#failure(error);
    }
  }

  /** @contract put-once Of any number of racing writers at most one gets `created`, and its bytes are the object. */
  async putIfAbsent(key: string, body: ObjectBody): Promise<'created' | 'exists'> {
    return ownStream(body, async () =>
      body instanceof Uint8Array ? this.#putOnce(key, body) : this.#putStream(key, body),
    );
  }

  async readPage(key: string): Promise<PageObject | null> {
    const object = await this.#getIfThere(key);
    return object && { bytes: await bytesOf(object.stream), tag: object.facts.tag };
  }

  /** @contract swap-once Of any number of racing writers at most one gets true, and its bytes are the object. */
  async swapPage(key: string, current: PageObject | null, bytes: Uint8Array): Promise<boolean> {
    const condition = current === null ? { IfNoneMatch: '*' } : { IfMatch: current.tag };
    return this.#putBytes({ ...this.#target(key), Body: bytes, ...condition, ...mutableHeaders(key) });
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    let token: string | undefined;
    do {
      const Prefix = this.#prefix + prefix;
      const request = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix, ContinuationToken: token });
      const page = await this.#client.send(request).catch((error: unknown) => {
        throw this.#failure(error);
      });
      for (const { Key, Size, ETag } of page.Contents ?? []) {
        if (Key === undefined || Key.endsWith('/')) continue;
        yield { key: Key.slice(this.#prefix.length), size: Size ?? 0, tag: ETag ?? '' };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async head(key: string): Promise<ObjectFacts | null> {
    try {
      const answer = await this.#client.send(new HeadObjectCommand(this.#target(key)));
      return { key, size: answer.ContentLength ?? 0, tag: answer.ETag ?? '' };
    } catch (error) {
      if (isMissing(error)) return null;
      if (httpStatus(error) !== 403) throw this.#failure(error);
    }
    // An answer to HEAD has no text to say whether it was the clock or the rights. GET needs the same, and says it.
    const object = await this.#getIfThere(key);
    object?.stream.destroy();
    return object?.facts ?? null;
  }

  /**
   * Takes an object away, with every version of it that the bucket keeps. Workers never do, and have no right to. Throws
   * CONFIGURATION_INVALID where these credentials have none either.
   */
  async remove(key: string): Promise<void> {
    const { Bucket, Key } = this.#target(key);
    try {
      const request = new ListObjectVersionsCommand({ Bucket, Prefix: Key });
      const answer = await this.#client.send(request).catch((error: unknown) => {
        if (![400, 405, 501].includes(httpStatus(error)!)) throw error;
        return { Versions: [], DeleteMarkers: [] }; // a server that keeps no versions need not know the question
      });
      const own = [...(answer.Versions ?? []), ...(answer.DeleteMarkers ?? [])].filter((one) => one.Key === Key);
      const versions = own.map((one) => one.VersionId);
      // Without a version a delete only hides those that the bucket keeps.
      for (const VersionId of versions.some((one) => one !== 'null') ? versions : [undefined])
        await this.#client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #getIfThere(key: string): Promise<{ stream: Readable; facts: ObjectFacts } | null> {
    return this.get(key).catch(nullOn('OBJECT_MISSING'));
  }

  #target(key: string): { Bucket: string; Key: string } {
    checkKey(key);
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  async #emptyPart(key: string): Promise<{ stream: Readable; facts: ObjectFacts }> {
    const facts = await this.head(key);
    if (facts === null) throw new OpalineError('OBJECT_MISSING', `An object is not in the store ${this.location}.`);
    return { stream: Readable.from([]), facts };
  }

  async #putOnce(key: string, Body: Uint8Array): Promise<'created' | 'exists'> {
    const isWon = await this.#putBytes({ ...this.#target(key), Body, IfNoneMatch: '*', ...onceHeaders(key) });
    return isWon ? 'created' : 'exists';
  }

  /**
   * A conditional write of bytes; false when its condition failed. Repeated after 409, for the bytes are at hand. Where a
   * bucket locks what it gets, S3 takes nothing without its MD5.
   */
  async #putBytes(input: PutObjectCommandInput & { Body: Uint8Array }): Promise<boolean> {
    const command = { ...input, ContentMD5: createHash('md5').update(input.Body).digest('base64') };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#client.send(new PutObjectCommand(command));
        return true;
      } catch (error) {
        if (isConditionFailed(error)) return false;
        if (!isConflict(error) || attempt === CONFLICT_ATTEMPTS) throw this.#failure(error);
        await sleep(20 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  /** A stream is gone once it was sent: after 409 the caller gets STORE_UNAVAILABLE and comes again with a new one. */
  async #putStream(key: string, body: Exclude<ObjectBody, Uint8Array>): Promise<'created' | 'exists'> {
    const { stream: source, size, inParts } = body;
    const target = this.#target(key);
    const length = Math.max(PART_BYTES, Math.ceil((size ?? 0) / MAXIMUM_PARTS));
    // The pipeline hands an error of the source on to the counting stream, where it is met.
    const pieces = cut(size === undefined ? source : pipeline(source, exactly(size), () => {}), length);
    try {
      const first = await pieces.next();
      const Body = first.value ?? Buffer.alloc(0);
      if (Body.byteLength < length && !inParts) {
        return await this.#putOnce(key, Body);
      }
      await putPartsIfAbsent(this.#client, { ...target, ...onceHeaders(key) }, prepend(Body, pieces));
      return 'created';
    } catch (error) {
      if (error instanceof BrokenSource) throw error.cause;
      if (httpStatus(error) === 412) return 'exists';
      // After a lost answer the upload is complete, and the repeated Complete does not find it any more.
      if (isMissing(error) && (await this.head(key)) !== null) return 'exists';
      if (isMissing(error))
        throw new OpalineError('STORE_UNAVAILABLE', `The store ${this.location} lost an upload; try again.`);
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): OpalineError {
    return s3Error(error, this.location, this.#mayChange);
  }

  /** The body of an answer, whose errors come from the socket or the SDK, as a stream that fails with ours. */
  #publicStream(body: Readable): Readable {
    const stream = new PassThrough();
    finished(body, (error) => {
      if (error) stream.destroy(this.#failure(error));
    });
    stream.on('close', () => body.destroy());
    return body.pipe(stream);
  }
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Media types of what a store holds, by the end of the key. A browser shows pages and feeds only under their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.sha256': 'text/plain; charset=utf-8',
  '.atom': 'application/atom+xml; charset=utf-8',
  '.cff': 'application/yaml; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.jsonld': 'application/ld+json',
  '.md': 'text/markdown; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
};

const typeOf = (key: string): string =>
  TYPES[extname(key)] ?? (key.endsWith('/SHA256SUMS') ? 'text/plain; charset=utf-8' : 'application/octet-stream');

/** What readers of an object over HTTP see in its headers. */
type HttpHeaders = { ContentType: string; CacheControl: string };

/** Of an object that is written once: whoever has it need not ask again for a year. */
const onceHeaders = (key: string): HttpHeaders => ({
  ContentType: typeOf(key),
  CacheControl: 'max-age=31536000, immutable',
});

/** Of a mutable object: whoever has it asks each time whether it is still the same. */
const mutableHeaders = (key: string): HttpHeaders => ({ ContentType: typeOf(key), CacheControl: 'no-cache' });
