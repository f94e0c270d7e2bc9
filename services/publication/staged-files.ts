import type { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytesIfPresent, sha256 } from '../stores/json-objects.ts';

/** Files of one release by name. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

/** The file of a digest, as the manifest's build staged it, or of the second audit. Null when neither has it. */
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

/** What a JSON file of a release holds. Throws when it is missing or not of its form. */
export const formOf = <Form>(files: ReleaseFiles, name: string, schema: z.ZodType<Form>): Form =>
  schema.parse(JSON.parse(fileOf(files, name).toString('utf8')));
