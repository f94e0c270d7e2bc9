import { z } from 'zod';
import { PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { changeMutable, readMutable } from '../stores/mutable-json.ts';

/** `window` and `version` are null when everything that was published of the series has been retracted. */
const latestSchema = z.union([
  z.object({ window: z.iso.date(), version: z.int().positive() }),
  z.object({ window: z.null(), version: z.null() }),
]);

type Latest = z.infer<typeof latestSchema>;
const latestIn = (value: object | null): Latest | null => value && latestSchema.parse(value);

type PublicRelease = { release: ReleaseReference; manifestDigest: string; retraction: object | null };

/** What is public of a series, as far as its publisher signed it. */
export type PublicReader = {
  /** One release; null when nothing of it counts. */
  one(release: ReleaseReference): Promise<PublicRelease | null>;
  /** All of them, in the order of window and version. */
  all(): Promise<readonly PublicRelease[]>;
};

/**
 * Moves the pointer of a series to a release, unless it is there or at a later window or version already: windows that
 * are published late never hide newer ones. Throws STORE_UNAVAILABLE when others keep moving it.
 */
export async function moveLatest(
  store: ObjectStore,
  release: ReleaseReference,
  manifestDigest: string,
  reader: PublicReader,
): Promise<void> {
  await changeMutable(store, PUBLIC_KEYS.latest(release.series), async (value) => {
    const current = latestIn(value);
    if (current !== null && !isBefore(current, release)) return null;
    // A worker that was thought dead may publish again what has been retracted meanwhile.
    return (await isRetracted(reader, release)) ? null : pointerOf(release.series, { release, manifestDigest });
  });
  await leaveRetracted(store, release.series, reader);
}

/**
 * Moves the pointer away from a release that is retracted, to the newest publication that is not; unless it shows
 * another one already. Throws STORE_UNAVAILABLE when others keep moving it.
 */
export async function moveLatestFrom(
  store: ObjectStore,
  release: ReleaseReference,
  reader: PublicReader,
): Promise<void> {
  const { series, window, version } = release;
  await changeMutable(store, PUBLIC_KEYS.latest(series), async (value) => {
    const current = latestIn(value);
    if (current?.window !== window || current.version !== version) return null;
    const newest = (await reader.all()).findLast(({ retraction }) => retraction === null);
    return pointerOf(series, newest);
  });
  await leaveRetracted(store, series, reader);
}

/**
 * Moves the pointer on when it shows a release that was retracted while the pointer moved there: that retraction looked
 * at the pointer before, and left it alone.
 */
async function leaveRetracted(store: ObjectStore, series: string, reader: PublicReader): Promise<void> {
  const pointer = await readMutable(store, PUBLIC_KEYS.latest(series));
  const latest = latestIn(pointer?.value ?? null);
  if (!latest || latest.window === null) return;
  const release = { series, window: latest.window, version: latest.version };
  if (await isRetracted(reader, release)) await moveLatestFrom(store, release, reader);
}

const isRetracted = async (reader: PublicReader, release: ReleaseReference): Promise<boolean> =>
  Boolean((await reader.one(release))?.retraction);

const FORMAT = 'opaline-latest/1';

/** What latest.json of a series says: the newest release that was not retracted; undefined: everything was. */
export const pointerOf = (series: string, newest: Omit<PublicRelease, 'retraction'> | undefined) => ({
  format: FORMAT,
  series,
  window: newest?.release.window ?? null,
  version: newest?.release.version ?? null,
  path: newest ? releasePath(newest.release) : null,
  manifestDigest: newest?.manifestDigest ?? null,
});

const isBefore = (a: Latest, b: ReleaseReference): boolean =>
  a.window === null || (a.window === b.window ? a.version < b.version : a.window < b.window);
