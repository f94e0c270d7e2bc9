import {
  type Partition,
  parsePartitionPath,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';

/** A privatized table that lies in a store, with its digest. */
export type StoredTable = { partition: Partition; digest: string };

/** The privatized tables of a release in the release store, in the order of their keys. */
export async function tablesOf(store: ObjectStore, release: ReleaseReference): Promise<StoredTable[]> {
  const tables: StoredTable[] = [];
  const prefix = RELEASE_KEYS.allPrivatized(release);
  for await (const { key } of store.list(prefix)) {
    const partition = parsePartitionPath(key.slice(prefix.length).replace(/\.json$/, ''));
    if (partition) tables.push({ partition, digest: sha256(await readBytes(store, key)) });
  }
  return tables;
}

/** What an order names tables by: SHA-256 of a line for each, in the order of their keys. */
export const tablesDigest = (tables: readonly StoredTable[]): string =>
  sha256(tables.map(({ partition, digest }) => `${digest} ${partitionPath(partition)}\n`).join(''));
