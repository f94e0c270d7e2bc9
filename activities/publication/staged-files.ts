import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ExactFinding } from '../../core/audit/exact-finding.ts';
import { readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';

/** Files of one release by name. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

/** All staged files of a release, in the order of their names. */
export async function readStagedFiles(store: ObjectStore, release: ReleaseReference): Promise<ReleaseFiles> {
  const prefix = RELEASE_KEYS.staged(release, '');
  const files = new Map<string, Buffer>();
  for await (const { key } of store.list(prefix)) files.set(key.slice(prefix.length), await readBytes(store, key));
  return files;
}

/** The file that has a digest: as it was staged, or of the second audit. Null when neither has it. */
export async function readWithDigest(
  store: ObjectStore,
  release: ReleaseReference,
  name: string,
  digest: string,
): Promise<Buffer | null> {
  for (const key of [RELEASE_KEYS.staged(release, name), RELEASE_KEYS.reaudited(release, name)]) {
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

/**
 * Whether files are those that are made again from `source`, byte for byte, and there is no other: then they hold nothing
 * but what is released.
 */
export function checkRewritten(data: ReleaseFiles, made: ReleaseFiles, source: string): ExactFinding {
  const strays = [...data.keys()].filter((name) => !made.has(name));
  const other = [...made].filter(([name, bytes]) => !data.get(name)?.equals(bytes)).map(([name]) => name);
  if (strays.length > 0) return { ok: false, sentence: `Nobody asked for the files ${strays.join(', ')}.` };
  if (other.length > 0) return { ok: false, sentence: `Other bytes than the ${source} give: ${other.join(', ')}.` };
  return { ok: true, sentence: `All ${made.size} files have the bytes that ${source} and public parameters give.` };
}
