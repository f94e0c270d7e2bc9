import type { Manifest } from '../../contracts/formats/manifest.ts';
import {
  newestFirst,
  parseReleasePath,
  partitionPath,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import { fieldChanges } from '../../core/json/field-changes.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import type { LedgerReader } from '../../services/ledger/verify-ledger.ts';
import { type AuditedRelease, findRelease } from '../../services/publication/audited-release.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

export type ChangesSince = NonNullable<Awaited<ReturnType<typeof changesSince>>>;

/**
 * What is different from the newest release of the series before this one that was published. Null when there is none, or
 * the receipt of its audit is not there any more. Throws as auditedRelease does.
 */
export async function changesSince(reader: LedgerReader, { manifest, grounds }: AuditedRelease) {
  const [earlier] = listPublishedBefore(grounds.ledger, manifest);
  const before = earlier && (await findRelease(reader, earlier))?.manifest;
  if (!earlier || !before) return null;
  const store = reader.releaseStore;
  const [then, now] = [await readSeries(store, before), await readSeries(store, manifest)];
  const [oldHoles, holes] = [holesOf(before), holesOf(manifest)];
  return {
    release: releasePath(earlier),
    /** Fields of the series file; the digests of public lists are among them. */
    fields: fieldChanges(then, now),
    /** Another build of the workers, or another program that ran them. */
    otherBuild: JSON.stringify(before.build) !== JSON.stringify(manifest.build),
    /** Partitions without data now. */
    holes,
    /** Of the same window: partitions without data then that have some now. */
    filled: before.window === manifest.window ? oldHoles.filter((one) => !holes.includes(one)) : [],
  };
}

/** Changed fields that are shown one by one; the rest is counted. */
const FIELDS_SHOWN = 12;

/** The same in plain words, with a line for each difference. */
export function changesInWords({ release, fields, otherBuild, holes, filled }: ChangesSince) {
  const changes = fields.slice(0, FIELDS_SHOWN);
  const differences = [
    ...changes.map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`),
    fields.length > changes.length && `${fields.length - changes.length} more fields of the series file.`,
    otherBuild && 'Another build of Opaline made it.',
    holes.length > 0 && `Without data: ${holes.join(', ')}.`,
    filled.length > 0 && `No longer without data: ${filled.join(', ')}.`,
  ].filter((line) => line !== false);
  const head =
    differences.length === 0
      ? `Nothing is declared otherwise than in ${release}, the last one that was published.`
      : `Since ${release}, the last one that was published:`;
  return { head, differences };
}

const holesOf = ({ partitions }: Manifest): string[] =>
  partitions.filter(({ hole }) => hole !== null).map(partitionPath);

/** The releases of the series before a release that have a publication, the newest first; by window, then version. */
export const listPublishedBefore = ({ entries }: Ledger, release: ReleaseReference): ReleaseReference[] =>
  entries
    .flatMap((entry) => (entry.kind === 'commit' ? (parseReleasePath(entry.release) ?? []) : []))
    .filter((one) => one.series === release.series && newestFirst(one, release) > 0)
    .sort(newestFirst);
