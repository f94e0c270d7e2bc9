import { parseReleasePath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/**
 * The windows of a series of which a release has run, whatever became of it: from the store's own marks, because
 * Temporal forgets workflows after its retention.
 */
export async function windowsThatRan(store: ObjectStore, series: string): Promise<Set<string>> {
  const windows = new Set<string>();
  for await (const { key } of store.list(RELEASE_KEYS.executions(series))) {
    const release = parseReleasePath(key.replace(/^[^/]*\//, '').replace(/\.json$/, ''));
    if (release) windows.add(release.window);
  }
  return windows;
}
