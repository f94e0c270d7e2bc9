import { OpalineError } from '../../contracts/errors.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';

/** Files of one release by name. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

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

/** The file that has a digest: as the build of the manifest staged it, or of the second audit. Null when neither has it. */
export async function readWithDigest(
  store: ObjectStore,
  manifest: Manifest,
  name: string,
  digest: string,
): Promise<Buffer | null> {
  const keys = [RELEASE_KEYS.staged(manifest, manifest.build.sources, name), RELEASE_KEYS.reaudited(manifest, name)];
  for (const key of keys) {
    const bytes = await readBytesIfPresent(store, key);
    if (bytes && sha256(bytes) === digest) return bytes;
  }
  return null;
}

/** A file that has to be there. Throws VERIFICATION_FAILED. */
export function fileOf(files: ReleaseFiles, name: string): Buffer {
  const bytes = files.get(name);
  if (!bytes) throw new OpalineError('VERIFICATION_FAILED', `The release has no file ${name}.`);
  return bytes;
}
