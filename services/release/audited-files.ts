import type { AuditReport } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import { windowVersions } from '../../core/ledger/window-versions.ts';
import { expectedBy } from '../calendar/expected-by.ts';
import { type Believed, reserveOfCharge } from '../draws/draw-receipt.ts';
import type { SignedAudit } from '../draws/stage-receipt.ts';
import { METADATA_FILES, metadataFiles } from '../metadata/metadata-files.ts';
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

/** What a manifest says of the build that made the files. */
export const buildFacts = async ({ build }: PublicContext): Promise<Manifest['build']> => ({
  sources: build.sources,
  runtime: await build.runtime(),
});

/** All data files of a release, made from its receipted tables and public parameters (C9). */
export const dataFiles = async (context: PublicContext, input: DeriveInput, series: Series): Promise<ReleaseFiles> =>
  new Map(Object.values(await kindOf(context.kinds, series).derive(context, input, series)).flat());

/** Puts the data files of a release where its build stages them, each if absent. */
export async function stage({ releaseStore, build }: PublicContext, input: DeriveInput, data: ReleaseFiles) {
  for (const [name, bytes] of data) await putOnce(releaseStore, RELEASE_KEYS.staged(input, build.sources, name), bytes);
}

/**
 * Refuses data files of this build that are not those that it has just made again, byte for byte: a file with other
 * bytes, one that is missing, and one too many. What another build has staged is not looked at; when there is nothing of
 * this one, it is staged first. Throws COPY_DIFFERS.
 *
 * @contract C15
 */
export async function requireStaged(context: PublicContext, input: DeriveInput, series: Series, data: ReleaseFiles) {
  const { releaseStore, build } = context;
  const written = writtenNames(context, series);
  const keyOf = (name: string): string => RELEASE_KEYS.staged(input, build.sources, name);
  const names = await namesBelow(releaseStore, keyOf(''));
  if (names.every((name) => written.includes(name))) await stage(context, input, data);
  for (const [name, bytes] of data)
    if (!(await readBytesIfPresent(releaseStore, keyOf(name)))?.equals(bytes)) throw otherStaged(name);
  await refuseStrays(releaseStore, keyOf(''), [...data.keys(), ...written]);
}

async function namesBelow(store: ObjectStore, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of store.list(prefix)) names.push(key.slice(prefix.length));
  return names;
}

/** Throws COPY_DIFFERS when a folder of staged files holds one of another name. */
export async function refuseStrays(store: ObjectStore, prefix: string, names: readonly string[]): Promise<void> {
  const stray = (await namesBelow(store, prefix)).find((name) => !names.includes(name));
  if (stray !== undefined) throw otherStaged(stray);
}

/**
 * Puts the files of a release under a verdict, if absent; what lies there has to be what the manifest lists. Throws
 * COPY_DIFFERS.
 */
export async function putAudited(
  store: ObjectStore,
  keyOf: (name: string) => string,
  files: ReleaseFiles,
  { manifest, manifestBytes }: SignedAudit,
): Promise<void> {
  const made = new Map([...files, [FILES.manifest as string, manifestBytes]]);
  for (const { name, sha256: listed } of [...manifest.files, { name: FILES.manifest, sha256: sha256(manifestBytes) }]) {
    const bytes = made.get(name);
    // The texts of another build have other words: those of the build that signed are not put over by these.
    const isListed = bytes !== undefined && sha256(bytes) === listed;
    const stored = isListed ? await putOnce(store, keyOf(name), bytes) : await readBytesIfPresent(store, keyOf(name));
    if (!stored || sha256(stored) !== listed) throw otherStaged(name);
  }
}

/** What others have staged, or taken away. */
const otherStaged = (name: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} is missing, or is not the one that the draws give; find out who changed it, take away what lies there, and retry.`,
  );
