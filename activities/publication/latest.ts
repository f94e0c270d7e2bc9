import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES, PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { publishedReleases } from './published-releases.ts';

/** Others can publish windows of the same series at the same time; each of them moves the pointer once. */
const ATTEMPTS = 20;

/** `window` and `version` are null when everything that was published of the series has been retracted. */
const latestSchema = z.union([
  z.object({ window: z.iso.date(), version: z.int().positive() }),
  z.object({ window: z.null(), version: z.null() }),
]);

type Latest = z.infer<typeof latestSchema>;

/**
 * Moves the pointer of a series to a release, unless it is there or at a later window or version already: windows that
 * are published late never hide newer ones. Throws STORE_UNAVAILABLE when others keep moving it.
 */
export async function moveLatest(store: ObjectStore, release: ReleaseReference, manifestDigest: string): Promise<void> {
  await swapLatest(store, release.series, async (current) => {
    if (current !== null && !isBefore(current, release)) return null;
    // A worker that was thought dead may publish again what has been retracted meanwhile.
    const retracted = await store.head(PUBLIC_KEYS.file(release, FILES.retraction));
    return retracted ? null : pointerTo(release, manifestDigest);
  });
  await leaveRetracted(store, release.series);
}

/**
 * Moves the pointer away from a release that is retracted, to the newest publication that is not; unless it shows
 * another one already. Throws STORE_UNAVAILABLE when others keep moving it.
 */
export async function moveLatestFrom(store: ObjectStore, retracted: ReleaseReference): Promise<void> {
  const { series, window, version } = retracted;
  await swapLatest(store, series, async (current) => {
    if (current?.window !== window || current.version !== version) return null;
    const newest = await newestPublication(store, series);
    if (!newest) return pointerToNone(series);
    return pointerTo(newest, sha256(await readBytes(store, PUBLIC_KEYS.file(newest, FILES.manifest))));
  });
  await leaveRetracted(store, series);
}

/**
 * Moves the pointer on when it shows a release that was retracted while the pointer moved there: that retraction looked
 * at the pointer before, and left it alone.
 */
async function leaveRetracted(store: ObjectStore, series: string): Promise<void> {
  const pointer = await store.readMutable(PUBLIC_KEYS.latest(series));
  const latest = pointer && latestSchema.parse(pointer.value);
  if (!latest || latest.window === null) return;
  const release = { series, window: latest.window, version: latest.version };
  if (await store.head(PUBLIC_KEYS.file(release, FILES.retraction))) await moveLatestFrom(store, release);
}

const FORMAT = 'opaline-latest/1';

/** What latest.json of a series says when this release is the newest that was not retracted. */
export const pointerTo = (release: ReleaseReference, manifestDigest: string) => {
  const { series, window, version } = release;
  return { format: FORMAT, series, window, version, path: releasePath(release), manifestDigest };
};

/** What it says when everything of the series was retracted. */
export const pointerToNone = (series: string) => ({
  ...{ format: FORMAT, series, window: null, version: null, path: null, manifestDigest: null },
});

/** Replaces the pointer by what `next` makes of it; null leaves it. Whoever is overtaken reads again. */
async function swapLatest(
  store: ObjectStore,
  series: string,
  next: (current: Latest | null) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  const key = PUBLIC_KEYS.latest(series);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.readMutable(key);
    const value = await next(current && latestSchema.parse(current.value));
    if (value === null || (await store.compareAndSwap(key, current, value))) return;
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep moving the pointer of ${series} at the same time.`);
}

/** The newest publication of a series that is complete and not retracted, or null. */
async function newestPublication(store: ObjectStore, series: string): Promise<ReleaseReference | null> {
  const left = (await publishedReleases(store, series)).filter(({ retracted }) => !retracted);
  return left.reduce<ReleaseReference | null>(
    (a, { release }) => (a === null || isBefore(a, release) ? release : a),
    null,
  );
}

const isBefore = (a: Latest, b: ReleaseReference): boolean =>
  a.window === null || (a.window === b.window ? a.version < b.version : a.window < b.window);
