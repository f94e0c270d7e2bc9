import type { Manifest } from '../../contracts/formats/manifest.ts';
import { parseReleasePath, partitionPath, type ReleaseReference } from '../../contracts/names.ts';
import { type FieldChange, fieldChanges } from '../../core/json/field-changes.ts';
import type { LedgerReader } from '../../services/ledger/believed-ledger.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { type AuditedRelease, auditedRelease } from '../../services/publication/audited-release.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

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

/**
 * Null when no earlier release of the series was published, or the receipt of its audit is not there any more. Throws as
 * auditedRelease does.
 */
export async function changesSince(
  reader: LedgerReader,
  { manifest, believed }: AuditedRelease,
): Promise<ChangesSince | null> {
  const earlier = publishedBefore(believed.ledger, manifest);
  const before = earlier && (await auditedRelease(reader, earlier.release))?.manifest;
  if (!earlier || !before) return null;
  const store = reader.releaseStore;
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
function publishedBefore(
  { entries }: Ledger,
  { series, window, version }: Manifest,
): { path: string; release: ReleaseReference } | null {
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
