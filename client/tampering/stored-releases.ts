import {
  parsePartitionPath,
  parseReleasePath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** What a release store holds of one release, by name alone. */
export type StoredRelease = ReturnType<typeof emptyRelease>;

/** Every release of which a store holds anything, by name: a list of keys, no object is read. */
export async function listStoredReleases(store: ObjectStore): Promise<Map<string, StoredRelease>> {
  const releases = new Map<string, StoredRelease>();
  const below = async (prefix: string, add: (release: StoredRelease, name: string) => void): Promise<void> => {
    for await (const { key } of store.list(prefix)) {
      const words = key.slice(prefix.length).split('/');
      const release = parseReleasePath(withoutEnd(words.slice(0, 3).join('/')));
      if (!release) continue;
      const path = releasePath(release);
      const record = releases.get(path) ?? emptyRelease(release);
      releases.set(path, record);
      add(record, words.slice(3).join('/'));
    }
  };
  await below(RELEASE_KEYS.allExecutions, (record, name) => {
    record.isMarked ||= name !== '';
  });
  await below(RELEASE_KEYS.allDrawn, ({ tables, receipts }, name) => {
    const path = name.replace(/(\.receipt)?\.json$/, '');
    if (parsePartitionPath(path)) (name.endsWith('.receipt.json') ? receipts : tables).add(path);
  });
  await below(RELEASE_KEYS.allStaged, ({ staged }, name) => staged.push(name));
  await below(RELEASE_KEYS.allDecisions, ({ decisions }, name) => decisions.push(withoutEnd(name)));
  return releases;
}

const emptyRelease = (release: ReleaseReference) => ({
  release,
  /** Is there a mark of its execution? */
  isMarked: false,
  /** Paths of the partitions that have a table, and of those that have a receipt. */
  tables: new Set<string>(),
  receipts: new Set<string>(),
  /** Names of its staged files, `build/file`. */
  staged: [] as string[],
  /** Digests by which its decisions are named. */
  decisions: [] as string[],
});

const withoutEnd = (name: string): string => name.replace(/\.json$/, '');
