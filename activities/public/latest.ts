import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';
import { PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** Others can publish windows of the same series at the same time; each of them moves the pointer once. */
const ATTEMPTS = 20;

const latestSchema = z.object({ window: z.iso.date(), version: z.int().positive() });

/**
 * Moves the pointer of a series to a release, unless it is there or at a later window or version already: windows that
 * are published late never hide newer ones. Throws STORE_UNAVAILABLE when others keep moving it.
 */
export async function moveLatest(store: ObjectStore, release: ReleaseReference, manifestDigest: string): Promise<void> {
  const key = PUBLIC_KEYS.latest(release.series);
  const { series, window, version } = release;
  const value = { format: 'opaline-latest/1', series, window, version, path: releasePath(release), manifestDigest };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.readMutable(key);
    if (current && !isBefore(latestSchema.parse(current.value), release)) return;
    if (await store.compareAndSwap(key, current, value)) return;
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep moving the pointer of ${series} at the same time.`);
}

const isBefore = (a: Pick<ReleaseReference, 'window' | 'version'>, b: ReleaseReference): boolean =>
  a.window === b.window ? a.version < b.version : a.window < b.window;
