import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, parseReleasePath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import { OBJECT_CODES, type ObjectCode } from '../../contracts/stages.ts';
import { scratchFull, withScratchFolder } from '../../services/files/scratch-folder.ts';
import { isDiskFull } from '../../services/sql/duckdb.ts';
import { valueOn } from '../../services/system-error.ts';
import type { Pin } from './inventory.ts';
import { unpack } from './source-text.ts';

/**
 * Copies of source objects in scratch, in a folder for each release, named by the SHA-256 of their bytes. A copy gets its
 * name only after its bytes were read to the end, so a name that exists holds the right bytes; a copy may vanish at any
 * time. `bin` drops the copies of its host at its end; a host that ingested for it drops its own soon after.
 */

/** Scratch, the release whose copies are meant, and the store that has the objects. */
export type Copies = { scratch: string; release: ReleaseReference; store: ObjectStore };

const allCopies = (scratch: string): string => join(scratch, 'objects');
const copyFolder = (scratch: string, release: ReleaseReference): string =>
  join(allCopies(scratch), encodeURIComponent(releasePath(release)));

/** So much is written at a time: pieces of a socket are small. */
const WRITTEN_BYTES = 2 ** 20;

/** Writes all of a stream to a new file; its size and SHA-256. */
async function writeHashed(stream: AsyncIterable<Buffer>, path: string): Promise<Pick<Pin, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  await using file = await open(path, 'wx', 0o600);
  let [size, pieces, bytes] = [0, [] as Buffer[], 0];
  const write = async (): Promise<void> => {
    const job = writePieces(file, pieces, bytes);
    for (const piece of pieces) hash.update(piece);
    await job;
    pieces.forEach(giveBack);
    [size, pieces, bytes] = [size + bytes, [], 0];
  };
  for await (const piece of stream) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= WRITTEN_BYTES) await write();
  }
  await write();
  return { size, sha256: hash.digest('hex') };
}

/** Writes pieces of `bytes` bytes in all; a file that takes fewer of them at once is given the rest. */
async function writePieces(file: FileHandle, pieces: readonly Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/**
 * Gives the memory of a piece back at once. Each piece of a stream is new memory, of which the collector of garbage sees
 * the wrapper alone: it ran late and long, and took half of the time of ingest.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const sourceBroken = (): OpalineError =>
  new OpalineError(
    'STORE_UNAVAILABLE',
    'The source store broke off while an object was read; the activity is retried.',
  );

/**
 * Streams one object into scratch, checks the file and gives it its name. Throws OBJECT_MISSING, STORE_UNAVAILABLE,
 * OUT_OF_SCRATCH, and what the check throws.
 */
export async function fetchObject(
  { scratch, release, store }: Copies,
  key: string,
  check: (path: string) => Promise<void> = async () => undefined,
): Promise<Pin> {
  const copies = copyFolder(scratch, release);
  await mkdir(copies, { recursive: true, mode: 0o700 });
  return withScratchFolder(scratch, async (folder) => {
    const { stream, facts } = await store.get(key);
    const part = join(folder, 'part');
    const copy = await writeHashed(stream as AsyncIterable<Buffer>, part).catch((error: unknown) => {
      if (error instanceof OpalineError) throw error;
      throw isDiskFull(error) ? scratchFull() : sourceBroken();
    });
    if (copy.size !== facts.size) throw sourceBroken();
    const pin = { key, tag: facts.tag, ...copy };
    // Before the file has its name: from then on another attempt that is done with these bytes may remove it.
    await check(part);
    await rename(part, join(copies, pin.sha256)).catch(failCopy);
    return pin;
  });
}

/**
 * Makes the bytes of a pin appear at `path`, a hard link to the scratch copy, so that nobody can take them away while
 * they are read. When this worker has no copy the object is fetched again. Throws OBJECT_CHANGED when the source now
 * holds other bytes, and what fetchObject throws.
 */
export async function linkCopy(copies: Copies, pin: Pin, path: string): Promise<void> {
  const copy = join(copyFolder(copies.scratch, copies.release), pin.sha256);
  if (await linkIfPresent(copy, path)) return;
  const other = await fetchObject(copies, pin.key);
  if (other.sha256 !== pin.sha256) {
    throw new OpalineError('OBJECT_CHANGED', 'An object in the source is no longer the one that was pinned at ingest.');
  }
  if (!(await linkIfPresent(copy, path))) failCopy();
}

function failCopy(): never {
  throw new OpalineError('OUT_OF_SCRATCH', 'A scratch copy vanished while it was made; the activity is retried.');
}

const linkIfPresent = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(() => true, valueOn(false, 'ENOENT'));

/** Forgets the scratch copies of a release; whoever needs one again fetches it. */
export const dropCopies = (scratch: string, release: ReleaseReference): Promise<void> =>
  rm(copyFolder(scratch, release), { recursive: true, force: true });

/** A release that has counted one partition needs no copy except for a retry, which may fetch it again. */
const COUNTED_AGE_MS = 5_000;

/** Between ingest and `bin` is only the reserve, unless the host has too much to do. */
const COPY_AGE_MS = 30 * 60_000;

/**
 * Forgets what no `bin` of this host is waiting for: copies of releases that have cells, which another host counted; old
 * ones, of releases that were never counted; and those that were made before `since`, the start of the worker, since a
 * killed one left them. One of a clock that is wrong by more counts as old.
 */
export async function dropStaleCopies(
  scratch: string,
  privateStore: ObjectStore,
  since: number,
  now = Date.now(),
): Promise<void> {
  for (const name of await readdir(allCopies(scratch)).catch(() => [])) {
    const folder = join(allCopies(scratch), name);
    const release = parseReleasePath(decodeURIComponent(name));
    const facts = await stat(folder).catch(() => null);
    const age = Math.abs(now - (facts?.mtimeMs ?? 0));
    const mayWait = release && facts && facts.mtimeMs >= since && age <= COPY_AGE_MS;
    if (mayWait && (age <= COUNTED_AGE_MS || !(await hasCells(privateStore, release)))) continue;
    // A copy that comes meanwhile goes with the others.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The copies on this host: how many, their bytes, and the time without a new one of the release that waits longest. */
export async function countCopies(scratch: string, now = Date.now()) {
  const all = { copies: 0, bytes: 0, oldestSeconds: 0 };
  for (const name of await readdir(allCopies(scratch)).catch(() => [])) {
    const folder = join(allCopies(scratch), name);
    const since = await stat(folder).catch(() => null);
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(names.map((file) => stat(join(folder, file)).catch(() => null)));
    for (const file of files.filter((one) => one !== null)) {
      all.copies += 1;
      all.bytes += file.size;
      all.oldestSeconds = Math.max(all.oldestSeconds, (now - (since?.mtimeMs ?? now)) / 1000);
    }
  }
  return all;
}

async function hasCells(privateStore: ObjectStore, release: ReleaseReference): Promise<boolean> {
  for await (const _ of privateStore.list(PRIVATE_KEYS.allCells(release))) return true;
  return false;
}

/**
 * Can the stored bytes be what the series declares? Compressed objects are decompressed to the end (DuckDB may not notice
 * a truncated one); an uncompressed CSV whose first line names the columns must not begin like gzip or UTF-16. Where the
 * first line is a row its bytes are not looked at: no row decides whether an object can be read (C6). Throws
 * OBJECT_UNREADABLE.
 */
export async function checkFile(path: string, source: Series['source']): Promise<void> {
  const unreadable = (): OpalineError =>
    new OpalineError('OBJECT_UNREADABLE', 'An object is truncated, corrupt or not of the declared format.');
  if (source.compression !== 'none') {
    const nowhere = new Writable({ write: (_chunk, _encoding, next) => next() });
    await pipeline(unpack(path, source.compression), nowhere).catch(() => {
      throw unreadable();
    });
  } else if (source.format === 'csv' && source.csv.header === undefined) {
    const start = await firstBytes(path);
    if (['1f8b', 'fffe', 'feff'].includes(start.toString('hex'))) throw unreadable();
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer.subarray(0, bytesRead);
}

/** The code of a fault of one object (C6); any other error stops the activity. */
export function objectCode(error: unknown): ObjectCode {
  const code = error instanceof OpalineError && OBJECT_CODES.find((one) => one === error.code);
  if (code) return code;
  throw error;
}

/** Stores a scratch file if the key is free; the first file with the key is kept. */
export async function putFile(store: ObjectStore, key: string, path: string): Promise<void> {
  const { size } = await stat(path);
  await store.putIfAbsent(key, { stream: createReadStream(path), size });
}
