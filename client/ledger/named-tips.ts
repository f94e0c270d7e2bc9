import type { LedgerTip } from '../../contracts/formats/common.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';

/** What a manifest says of the ledger of its population: how far it went, and which charge stood there. */
export type NamedTip = { release: string; population: string; tip: LedgerTip | null; charge: string };

/** Tips that the staged manifests of a release store name. One that cannot be read is no manifest, and names none. */
export const stagedTips = (store: ObjectStore): Promise<NamedTip[]> => tipsBelow(store, RELEASE_KEYS.allStaged);

/**
 * Tips that the publications in a folder name, of one publication or of any number below it. They are copies that
 * nobody who holds the stores can change any more (C12).
 */
export const publishedTips = (folder: string): Promise<NamedTip[]> => tipsBelow(new FolderStore(folder), '');

async function tipsBelow(store: ObjectStore, prefix: string): Promise<NamedTip[]> {
  const tips: NamedTip[] = [];
  for await (const { key } of store.list(prefix)) {
    if (key !== FILES.manifest && !key.endsWith(`/${FILES.manifest}`)) continue;
    const manifest = manifestIn(await readBytes(store, key));
    if (manifest) tips.push(tipIn(manifest));
  }
  return tips;
}

const tipIn = ({ population, charge, ledger, ...release }: Manifest): NamedTip => ({
  release: releasePath(release),
  population,
  charge,
  tip: ledger,
});

/** The manifest that the bytes are, or null. */
export const manifestIn = (bytes: Buffer): Manifest | null =>
  manifestSchema.safeParse(jsonOrNull(bytes.toString('utf8'))).data ?? null;
