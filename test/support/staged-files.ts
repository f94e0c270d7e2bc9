import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ReleaseFiles } from '../../services/publication/staged-files.ts';
import { readBytes } from '../../services/stores/json-objects.ts';

/** All files of a release that a build has staged, in the order of their names. */
export async function readStagedFiles(
  store: ObjectStore,
  release: ReleaseReference,
  build: string,
): Promise<ReleaseFiles> {
  const prefix = RELEASE_KEYS.staged(release, build, '');
  const files = new Map<string, Buffer>();
  for await (const { key } of store.list(prefix)) files.set(key.slice(prefix.length), await readBytes(store, key));
  return files;
}
