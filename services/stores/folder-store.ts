import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OpalineError } from '../../contracts/errors.ts';
import type { ByteRange, ObjectBody, ObjectFacts, ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { hasCode, systemCode, valueOn } from '../system-error.ts';
import { exactly, ownStream } from './body-stream.ts';
import { folderLinks, withoutCircles } from './folder-links.ts';
import { ownPrefix, removeLeftovers } from './leftovers.ts';
import { checkKey, checkRange } from './store-arguments.ts';

/** What the store keeps for itself, out of reach of keys, which have no part that begins with a dot. */
const OWN_FOLDER = '.opaline-store';

/** So much of an object is read at a time: each reading is a turn of the event loop and a task of a thread. */
const PIECE_BYTES = 1 << 20;

/** What the system says where no file is. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'EISDIR'];

const DOT = 0x2e;
const SLASH = Buffer.from('/');

/**
 * An object store in a folder of a local file system with hard links; `root/key` is the object. It is safe for any
 * number of processes, and a power cut after a call returned loses nothing.
 *
 * An object is written under a temporary name, synced, and linked to its own: link fails with EEXIST when the name is
 * taken, where rename would overwrite silently.
 *
 * Generation n of a page is a write-once file of the store's own folder. Whoever links it first has won the
 * swap; `root/key` follows as a copy for readers. Old generations stay: without them a writer that slept through two
 * swaps could claim a generation a second time. A crash between claim and copy leaves the copy one generation behind
 * for `get`, until the next readPage or swapPage mends it.
 */
export class FolderStore implements ObjectStore {
  readonly location: string;
  readonly #root: string;
  readonly #temporaryFolder: string;
  readonly #links: ReturnType<typeof folderLinks>;

  constructor(path: string) {
    this.#root = resolve(path);
    this.#temporaryFolder = join(this.#root, OWN_FOLDER, 'temporary');
    this.#links = folderLinks(this.#root);
    this.location = `folder:${this.#root}`;
  }

  async get(key: string, range?: ByteRange): Promise<{ stream: Readable; facts: ObjectFacts }> {
    checkKey(key);
    if (range !== undefined) checkRange(range);
    return this.#guard(async () => {
      const path = this.#path(key);
      await this.#links.refuseOutside(path);
      const handle = await withoutCircles(absentAsNull(open(path, 'r')));
      const status = await handle?.stat({ bigint: true });
      if (!handle || !status?.isFile()) {
        await handle?.close();
        throw new OpalineError('OBJECT_MISSING', `An object is not in the store ${this.location}.`);
      }
      const facts = factsOf(key, status);
      const { start, end } = range ?? { start: 0, end: facts.size };
      if (end === start || start >= facts.size) {
        await handle.close();
        return { stream: Readable.from([]), facts };
      }
      // createReadStream counts the end as included, and closes the handle.
      return { stream: handle.createReadStream({ start, end: end - 1, highWaterMark: PIECE_BYTES }), facts };
    });
  }

  /** @contract put-once Of any number of racing writers exactly one gets `created`. */
  async putIfAbsent(key: string, body: ObjectBody): Promise<'created' | 'exists'> {
    return ownStream(body, () =>
      this.#guard(async () => {
        checkKey(key);
        // A stream may be long, so that a look first is worth it; of bytes in memory the link decides alone.
        const path = this.#path(key);
        await this.#links.refuseOutside(path);
        if (!(body instanceof Uint8Array) && (await this.#facts(key)) !== null) {
          await syncFolder(dirname(path)); // as when the link finds it
          return 'exists';
        }
        return this.#withTemporary(body, (temporary) => linkDurably(temporary, path));
      }),
    );
  }

  async readPage(key: string): Promise<PageObject | null> {
    checkKey(key);
    return this.#guard(async () => {
      const latest = await this.#latestGeneration(key, 0);
      const copy = await absentAsNull(readFile(this.#path(key)));
      // What another program put there is not ours to replace unseen.
      if (latest === 0) return copy && { bytes: copy, tag: '0' };
      const bytes = await readFile(this.#generationPath(key, latest));
      if (!copy?.equals(bytes)) await this.#show(key, latest);
      return { bytes, tag: String(latest) };
    });
  }

  /** @contract swap-once Of any number of racing writers exactly one gets true. */
  async swapPage(key: string, current: PageObject | null, bytes: Uint8Array): Promise<boolean> {
    checkKey(key);
    return this.#guard(async () => {
      if ((await this.readPage(key))?.tag !== current?.tag) return false;
      await this.#links.refuseOutside(this.#path(key));
      return this.#claim(key, Number(current?.tag ?? 0) + 1, bytes);
    });
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    try {
      yield* this.#walk(Buffer.alloc(0), prefix);
    } catch (error) {
      throw folderError(error, this.location);
    }
  }

  async head(key: string): Promise<ObjectFacts | null> {
    checkKey(key);
    return this.#guard(() => this.#facts(key));
  }

  /** Takes an object away. Workers never do. */
  async remove(key: string): Promise<void> {
    checkKey(key);
    await this.#guard(async () => {
      const path = this.#path(key);
      await this.#links.refuseOutside(path);
      await absentAsNull(unlink(path));
    });
  }

  /** Removes temporary files of writers that were killed; no listing ever shows one. Living writers keep theirs. */
  async removeLeftovers(): Promise<void> {
    await this.#guard(() => removeLeftovers(this.#temporaryFolder, 'part'));
  }

  #path(key: string): string {
    return join(this.#root, key);
  }

  #generationPath(key: string, generation: number): string {
    return join(this.#root, OWN_FOLDER, 'generations', key, String(generation));
  }

  async #facts(key: string): Promise<ObjectFacts | null> {
    const path = this.#path(key);
    await this.#links.refuseOutside(path);
    const status = await withoutCircles(absentAsNull(stat(path, { bigint: true })));
    return status?.isFile() ? factsOf(key, status) : null;
  }

  /**
   * Objects below `folder` (empty, or ending with a slash) in the order of their keys' bytes, as S3 lists them. Names are
   * bytes to a file system: what is no UTF-8 in one is U+FFFD in its key, which then names no object.
   */
  async *#walk(folder: Buffer, prefix: string): AsyncGenerator<ObjectFacts> {
    const entries = await absentAsNull(readdir(this.#pathOfBytes(folder), { withFileTypes: true, encoding: 'buffer' }));
    const children = (entries ?? [])
      .filter(({ name }) => name[0] !== DOT)
      .map((entry) => ({
        // The slash takes part in the order: `a-b` comes before `a/b`.
        bytes: Buffer.concat([folder, entry.name, SLASH.subarray(0, entry.isDirectory() ? 1 : 0)]),
        entry,
      }))
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    for (const { bytes, entry } of children) {
      const key = bytes.toString('utf8');
      if (entry.isDirectory()) {
        if (key.startsWith(prefix) || prefix.startsWith(key)) yield* this.#walk(bytes, prefix);
      } else if (key.startsWith(prefix)) {
        const facts = await this.#listed(key, bytes, entry.isSymbolicLink());
        if (facts !== null) yield facts;
      }
    }
  }

  /** Facts of what a folder lists; a link that cannot be followed is listed too, and whoever reads it learns of it. */
  async #listed(key: string, bytes: Buffer, isLink: boolean): Promise<ObjectFacts | null> {
    const path = this.#pathOfBytes(bytes);
    const notThere = valueOn(null, ...ABSENT, ...(isLink ? ['ELOOP', 'EACCES'] : []));
    const status = await stat(path, { bigint: true }).catch(notThere);
    if (isLink && (status === null || (status.isFile() && (await this.#links.leadsOut(path)))))
      return { key, size: 0, tag: 'link' };
    return status?.isFile() ? factsOf(key, status) : null;
  }

  #pathOfBytes(bytes: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), bytes]);
  }

  /** The newest generation that was claimed, looking upwards from one that is known; 0 when there is none. */
  async #latestGeneration(key: string, from: number): Promise<number> {
    const isClaimed = (generation: number) => exists(this.#generationPath(key, generation));
    let [latest, step] = [from, 1];
    // No generation is left out: steps that double, then halve, find the last of many.
    while (await isClaimed(latest + step)) {
      latest += step;
      step *= 2;
    }
    for (; step >= 1; step /= 2) if (await isClaimed(latest + step)) latest += step;
    return latest;
  }

  /** Writes a generation of a page unless somebody has claimed it, and shows it. */
  async #claim(key: string, generation: number, bytes: Uint8Array): Promise<boolean> {
    const path = this.#generationPath(key, generation);
    const outcome = await this.#withTemporary(bytes, (temporary) => linkDurably(temporary, path));
    if (outcome === 'exists') return false;
    await this.#show(key, generation);
    return true;
  }

  /** Copies the newest generation to `root/key`; again when another writer claimed a newer one meanwhile. */
  async #show(key: string, claim: number): Promise<void> {
    for (let current = claim; ; ) {
      const latest = await this.#latestGeneration(key, current);
      const bytes = await readFile(this.#generationPath(key, latest));
      await this.#withTemporary(bytes, (temporary) => renameDurably(temporary, this.#path(key)));
      current = latest;
      if ((await this.#latestGeneration(key, current)) === current) return;
    }
  }

  async #withTemporary<T>(body: ObjectBody, use: (path: string) => Promise<T>): Promise<T> {
    const temporary = join(this.#temporaryFolder, `${ownPrefix('part')}${randomUUID()}`);
    try {
      await writeBody(temporary, body);
      return await use(temporary);
    } finally {
      await absentAsNull(unlink(temporary));
    }
  }

  async #guard<T>(action: () => Promise<T>): Promise<T> {
    return action().catch((error: unknown) => {
      throw folderError(error, this.location);
    });
  }
}

const factsOf = (key: string, status: BigIntStats): ObjectFacts => ({
  key,
  size: Number(status.size),
  tag: `${status.ino}-${status.mtimeNs}-${status.size}`,
});

/** Writes and syncs a new file. When the stream breaks, its error is thrown, and a part of the file is there. */
async function writeBody(path: string, body: ObjectBody): Promise<void> {
  const handle = await whereFolderIs(path, () => open(path, 'wx'));
  try {
    if (body instanceof Uint8Array) await handle.writeFile(body);
    else if (body.size === undefined) await handle.writeFile(body.stream);
    else await pipeline(body.stream, exactly(body.size), (bytes) => handle.writeFile(bytes));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whoever gets `exists` relies on the object too, and its writer may not have synced the folder yet. */
async function linkDurably(from: string, to: string): Promise<'created' | 'exists'> {
  const attempt = whereFolderIs(to, () => link(from, to));
  const outcome = await attempt.then(() => 'created' as const, valueOn('exists', 'EEXIST'));
  await syncFolder(dirname(to));
  return outcome;
}

async function renameDurably(from: string, to: string): Promise<void> {
  await whereFolderIs(to, () => rename(from, to));
  await syncFolder(dirname(to));
}

/** Tries first, and makes the folder of the path when it is missing: nearly every write finds it there. */
async function whereFolderIs<T>(path: string, write: () => Promise<T>): Promise<T> {
  return write().catch(async (error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    await makeFolderDurably(dirname(path));
    return write();
  });
}

/** A new folder is an entry of the one above it, which is synced too. */
async function makeFolderDurably(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let entry = folder; ; entry = dirname(entry)) {
    await syncFolder(dirname(entry));
    if (entry === first) return;
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

const exists = async (path: string): Promise<boolean> => (await absentAsNull(stat(path))) !== null;

const absentAsNull = <T>(action: Promise<T>): Promise<T | null> => action.catch(valueOn(null, ...ABSENT));

/** What a person has to mend: permissions, a file instead of a folder, a file system without hard links. */
const NEEDS_A_PERSON = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ELOOP'],
  ...['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'],
];

/**
 * The error of a folder store as others may see it. Errors of the system name paths: their code is all that is kept.
 * Errors that are not the system's (of the stream that was to be stored, for instance) pass as they are.
 */
function folderError(error: unknown, location: string): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof OpalineError) return error;
  if (NEEDS_A_PERSON.includes(code)) {
    return new OpalineError(
      'CONFIGURATION_INVALID',
      `The store ${location} refused access (${code}); check its owner, its permissions and that its file system has hard links.`,
    );
  }
  return new OpalineError(
    'STORE_UNAVAILABLE',
    `The store ${location} does not answer (${code}); check that its disk is there and has room.`,
  );
}
