import { FILES, PUBLIC_KEYS, parseReleasePath, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';

export type PublishedRelease = { release: ReleaseReference; retracted: boolean };

/**
 * The complete publications of a series, of one window if it is given: those with checksums, which are written after all
 * other files.
 */
export async function listPublications(
  store: ObjectReader,
  series: string,
  window: string | null = null,
): Promise<PublishedRelease[]> {
  const complete = new Map<string, ReleaseReference>();
  const tombstones = new Set<string>();
  const prefix = window === null ? PUBLIC_KEYS.series(series) : `${PUBLIC_KEYS.series(series)}${window}/`;
  for await (const { key } of store.list(prefix)) {
    const [path, file] = [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)];
    const release = parseReleasePath(path);
    if (release && file === FILES.checksums) complete.set(path, release);
    if (file === FILES.retraction) tombstones.add(path);
  }
  return [...complete].map(([path, release]) => ({ release, retracted: tombstones.has(path) }));
}
