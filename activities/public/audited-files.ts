import type { AuditReport } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import { windowVersions } from '../../core/ledger/window-versions.ts';
import { METADATA_FILES, metadataFiles } from '../../core/metadata/metadata-files.ts';
import { expectedBy } from '../calendar/expected-by.ts';
import { type Believed, reserveOfCharge } from '../draws/draw-receipt.ts';
import type { SignedAudit } from '../draws/stage-receipt.ts';
import type { ReleaseFiles } from '../publication/staged-files.ts';
import { putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import type { PublicContext } from './context.ts';

/** Names of what an audit writes itself; everything else that is staged is data. */
export const writtenNames = (context: PublicContext, series: Series): readonly string[] => [
  FILES.audit,
  ...kindOf(context.kinds, series).pageNames,
  ...METADATA_FILES,
  FILES.manifest,
];

/** A release with a verdict on it. */
export type Judged = { input: DeriveInput; series: Series; report: AuditReport };

/** The pages about a release under a verdict. The same every time. */
export async function auditedPages(
  context: PublicContext,
  { ledger }: Believed,
  { input, series, report }: Judged,
): Promise<Map<string, Buffer>> {
  const versions = versionsInWords(ledger.entries, input);
  return new Map(await kindOf(context.kinds, series).pages(input, series, { report, versions }, context));
}

/** The metadata of a release of these files. */
export async function auditedMetadata(
  context: PublicContext,
  { ledger }: Believed,
  { input, series }: Pick<Judged, 'input' | 'series'>,
  files: Manifest['files'],
): Promise<[name: string, bytes: Buffer][]> {
  const described = {
    release: input,
    ...{ kind: series.kind, publication: series.publication, window: series.window, files: inOrder(files) },
    versions: versionsInWords(ledger.entries, input),
    description: await kindOf(context.kinds, series).describe(input, series, context),
    nextExpected: expectedBy(series, input.window),
  };
  return metadataFiles(described).map(([name, text]) => [name, Buffer.from(text, 'utf8')]);
}

/** What the ledger says of this window up to the charge of the release: the same however often it is asked. */
function versionsInWords(entries: readonly LedgerEntry[], input: DeriveInput): string[] {
  const own = reserveOfCharge({ entries }, input.charge)?.sequence ?? 0;
  return windowVersions(entries.slice(0, own), input);
}

/** What a manifest says of files. */
export const fileFacts = (files: ReleaseFiles): Manifest['files'] =>
  [...files].map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length }));

/** Files in the order of their names, as a manifest lists them. */
export const inOrder = (files: Manifest['files']): Manifest['files'] =>
  files.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Puts the files that an audit has written, if absent; what lies there has to be what its manifest lists. Throws
 * COPY_DIFFERS.
 */
export async function putAudited(
  store: ObjectStore,
  keyOf: (name: string) => string,
  own: ReleaseFiles,
  { manifest, manifestBytes }: SignedAudit,
): Promise<void> {
  const listed = new Map(manifest.files.map((file) => [file.name, file.sha256]));
  listed.set(FILES.manifest, sha256(manifestBytes));
  for (const [name, bytes] of [...own, [FILES.manifest, manifestBytes] as const]) {
    // The pages of another build have other words: those of the build that signed are not put over by these.
    const isListed = sha256(bytes) === listed.get(name);
    const stored = isListed ? await putOnce(store, keyOf(name), bytes) : await readBytesIfPresent(store, keyOf(name));
    if (!stored || sha256(stored) !== listed.get(name)) throw otherStaged(name);
  }
}

/** What others have staged in the place of a file that was audited. */
export const otherStaged = (name: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} is not the one that was audited; find out who wrote it, take it away, and retry.`,
  );
