import type { LedgerTip } from '../../contracts/formats/common.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';

/** What a manifest says of the ledger of its population: how far it went, and which charge was there. */
export type NamedTip = { release: string; population: string; tip: LedgerTip | null; charge: string };

/** Tips that the staged manifests of a release store name. One that cannot be read is no manifest, and names none. */
export const readStagedTips = (store: ObjectStore): Promise<NamedTip[]> => tipsBelow(store, RELEASE_KEYS.allStaged);

/**
 * Tips that the publications in a folder name, of one publication or of any number below it. They are copies that
 * nobody who holds the stores can change any more (C12).
 */
export const readPublishedTips = (folder: string): Promise<NamedTip[]> => tipsBelow(new FolderStore(folder), '');

async function tipsBelow(store: ObjectStore, prefix: string): Promise<NamedTip[]> {
  const tips: NamedTip[] = [];
  for await (const { key } of store.list(prefix)) {
    if (key !== FILES.manifest && !key.endsWith(`/${FILES.manifest}`)) continue;
    const { data } = manifestSchema.safeParse(jsonOrNull((await readBytes(store, key)).toString('utf8')));
    if (data)
      tips.push({ release: releasePath(data), population: data.population, charge: data.charge, tip: data.ledger });
  }
  return tips;
}
