import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes } from '../stores/json-objects.ts';

/** Files of one release by name. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

/** All staged files of a release, in the order of their names. */
export async function readStagedFiles(store: ObjectStore, release: ReleaseReference): Promise<ReleaseFiles> {
  const prefix = RELEASE_KEYS.staged(release, '');
  const files = new Map<string, Buffer>();
  for await (const { key } of store.list(prefix)) files.set(key.slice(prefix.length), await readBytes(store, key));
  return files;
}

/** A file that has to be there. Throws VERIFICATION_FAILED. */
export function fileOf(files: ReleaseFiles, name: string): Buffer {
  const bytes = files.get(name);
  if (!bytes) throw new OpalineError('VERIFICATION_FAILED', `The release has no file ${name}.`);
  return bytes;
}
