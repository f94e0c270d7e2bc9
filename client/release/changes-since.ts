import { readLedger } from '../../activities/ledger/ledger.ts';
import { readOffered } from '../../activities/publication/staged-files.ts';
import { readSeries } from '../../activities/stores/series-objects.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, parseReleasePath, partitionPath, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type FieldChange, fieldChanges } from '../../core/json/field-changes.ts';

/** What is other than in an earlier release of the series. */
export type ChangesSince = {
  /** The newest release of the series before this one that was published. */
  release: string;
  /** Fields of the series file; the digests of public lists are among them. */
  fields: FieldChange[];
  /** Another build of the workers, or another program that ran them. */
  otherBuild: boolean;
  /** Partitions without data now. */
  holes: string[];
  /** Of the same window: partitions without data then that have some now. */
  filled: string[];
};

/** Null when no earlier release of the series was published, or its manifest is not there any more. */
export async function changesSince(store: ObjectStore, manifest: Manifest): Promise<ChangesSince | null> {
  const earlier = await publishedBefore(store, manifest);
  const bytes = earlier && (await readOffered(store, earlier.release, FILES.manifest));
  if (!earlier || !bytes) return null;
  const before = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  const [then, now] = [await readSeries(store, before), await readSeries(store, manifest)];
  const [oldHoles, holes] = [holesOf(before), holesOf(manifest)];
  return {
    release: earlier.path,
    fields: fieldChanges(then, now),
    otherBuild: JSON.stringify(before.build) !== JSON.stringify(manifest.build),
    holes,
    filled: before.window === manifest.window ? oldHoles.filter((one) => !holes.includes(one)) : [],
  };
}

const holesOf = ({ partitions }: Manifest): string[] =>
  partitions.filter(({ hole }) => hole !== null).map(partitionPath);

/** The newest release of the series with a publication, before a release; by window, then version. */
async function publishedBefore(
  store: ObjectStore,
  { population, series, window, version }: Manifest,
): Promise<{ path: string; release: ReleaseReference } | null> {
  const { entries } = await readLedger(store, population);
  const published = entries.flatMap((entry) => {
    const release = entry.kind === 'commit' ? parseReleasePath(entry.release) : null;
    return entry.kind === 'commit' && release?.series === series ? [{ path: entry.release, release }] : [];
  });
  const isBefore = ({ release }: { release: ReleaseReference }) =>
    release.window < window || (release.window === window && release.version < version);
  const order = (a: ReleaseReference, b: ReleaseReference) =>
    a.window === b.window ? a.version - b.version : a.window < b.window ? -1 : 1;
  return (
    published
      .filter(isBefore)
      .sort((a, b) => order(a.release, b.release))
      .at(-1) ?? null
  );
}
