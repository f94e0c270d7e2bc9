import type { Manifest } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { manifestIn } from '../ledger/named-tips.ts';
import { type StoredRelease, stagingBuilds } from './stored-releases.ts';

/** A staged manifest with the digest that people sign. */
export type StagedManifest = { manifest: Manifest; digest: string };

/** The manifests that a release came to its gate with: the staged one, and that of a second audit. Null for none. */
export async function readOfferedManifests(
  store: ObjectStore,
  { release, staged }: Pick<StoredRelease, 'release' | 'staged'>,
): Promise<(StagedManifest | null)[]> {
  const keys = stagingBuilds({ staged }).map((build) => RELEASE_KEYS.staged(release, build, FILES.manifest));
  const again = RELEASE_KEYS.reaudited(release, FILES.manifest);
  const found: (StagedManifest | null)[] = [];
  for (const key of [...keys, ...((await store.head(again)) ? [again] : [])]) {
    const bytes = await readBytes(store, key);
    const manifest = manifestIn(bytes);
    found.push(manifest && { manifest, digest: sha256(bytes) });
  }
  return found;
}

/** Staged files that are not as the manifest has them, are missing, or that it does not name. Reads every file. */
export async function stagedSentences(
  store: ObjectStore,
  { release, staged }: StoredRelease,
  { manifest }: StagedManifest,
): Promise<string[]> {
  const name = releasePath(release);
  const sentences: string[] = [];
  if (releasePath(manifest) !== name) sentences.push(`${name}: its staged manifest is of ${releasePath(manifest)}.`);
  const { sources } = manifest.build;
  const listed = new Map(manifest.files.map((file) => [file.name, file.sha256]));
  const there = staged.flatMap((one) => (one.startsWith(`${sources}/`) ? [one.slice(sources.length + 1)] : []));
  const names = new Set([...there, ...listed.keys()]);
  names.delete(FILES.manifest);
  for (const file of [...names].sort()) {
    if (!listed.has(file)) sentences.push(`${name}: the staged file ${file} is not in the manifest.`);
    else if (!there.includes(file)) sentences.push(`${name}: the staged file ${file} is missing.`);
    else if (sha256(await readBytes(store, RELEASE_KEYS.staged(release, sources, file))) !== listed.get(file))
      sentences.push(`${name}: the staged file ${file} is not the one of the manifest.`);
  }
  return sentences;
}
