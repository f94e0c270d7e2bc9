import {
  FILES,
  type Partition,
  parsePartitionPath,
  parseReleasePath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** What a release store holds of one release, by name alone. */
export type StoredRelease = {
  release: ReleaseReference;
  /** Is there a mark of its execution? */
  isMarked: boolean;
  tables: Partition[];
  receipts: Partition[];
  /** Names of its staged files, `build/file`. */
  staged: string[];
  /** Digests by which its decisions are named. */
  decisions: string[];
};

/** Every release of which a store holds anything, by name: a list of keys, no object is read. */
export async function storedReleases(store: ObjectStore): Promise<Map<string, StoredRelease>> {
  const releases = new Map<string, StoredRelease>();
  const at = (release: ReleaseReference): StoredRelease => {
    const path = releasePath(release);
    const known = releases.get(path) ?? emptyRelease(release);
    releases.set(path, known);
    return known;
  };
  for await (const { key } of store.list(RELEASE_KEYS.allExecutions)) {
    const release = parseReleasePath(withoutEnd(key.slice(RELEASE_KEYS.allExecutions.length)));
    if (release) at(release).isMarked = true;
  }
  const below = async (prefix: string, add: (release: StoredRelease, name: string) => void): Promise<void> => {
    for await (const { key } of store.list(prefix)) {
      const words = key.slice(prefix.length).split('/');
      const release = parseReleasePath(words.slice(0, 3).join('/'));
      if (release) add(at(release), words.slice(3).join('/'));
    }
  };
  await below(RELEASE_KEYS.allDrawn, ({ tables, receipts }, name) => {
    const partition = parsePartitionPath(withoutEnd(name.replace(/\.receipt\.json$/, '.json')));
    if (partition) (name.endsWith('.receipt.json') ? receipts : tables).push(partition);
  });
  await below(RELEASE_KEYS.allStaged, ({ staged }, name) => staged.push(name));
  await below(RELEASE_KEYS.allDecisions, ({ decisions }, name) => decisions.push(withoutEnd(name)));
  return releases;
}

const emptyRelease = (release: ReleaseReference): StoredRelease => ({
  release,
  isMarked: false,
  tables: [],
  receipts: [],
  staged: [],
  decisions: [],
});

/** Builds with which the release has come to its gate: a manifest is written last. */
export const stagingBuilds = ({ staged }: Pick<StoredRelease, 'staged'>): string[] =>
  staged.filter((name) => name.endsWith(`/${FILES.manifest}`)).map((name) => name.slice(0, -FILES.manifest.length - 1));

const withoutEnd = (name: string): string => name.replace(/\.json$/, '');
