import { FolderStore } from '../activities/stores/folder-store.ts';
import { removeLeftovers } from '../activities/stores/leftovers.ts';
import type { ObjectStore } from '../contracts/object-store.ts';

/** Removes, at the start of a worker, what killed workers left in scratch and in the folder stores that it writes. */
export async function sweep(scratch: string, stores: readonly ObjectStore[]): Promise<void> {
  await removeLeftovers(scratch, 'job');
  for (const store of stores) if (store instanceof FolderStore) await store.removeLeftovers();
}
