import { type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { windowVersions } from '../../core/ledger/window-versions.ts';
import type { DescribedRelease } from '../../core/metadata/description.ts';
import { METADATA_FILES, metadataFiles } from '../../core/metadata/metadata-files.ts';
import { expectedBy } from '../calendar/expected-by.ts';
import { type Believed, reserveOfCharge } from '../draws/draw-receipt.ts';
import { putAudit, requireShadow, signedAudit } from '../draws/stage-receipt.ts';
import { tipOf } from '../ledger/ledger-tip.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { jsonBytes, putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../trust/trust-chain.ts';
import type { PublicContext, PublicKind } from './context.ts';
import { policyDigestOf, requireDrawn } from './drawn-tables.ts';

/**
 * Attacks the staged bytes and signs what it found with the manifest over every staged file; then it writes audit.json,
 * its pages, the metadata, and the manifest. Tables and shadow run are taken with their receipts only, and what lies
 * staged of its own files has to be what it signed: whoever writes there could have put a verdict that nobody came to.
 * Throws VERIFICATION_FAILED, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: the receipt is written first and at once, and each file if absent. The first receipt stands,
 * whatever would be found now; so does a verdict of an earlier build that is stored and fails the release.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: AuditInput): Promise<AuditResult> {
  const { releaseStore, publisherKey } = context;
  const series = await readSeries(releaseStore, input);
  const kind = kindOf(context.kinds, series);
  const believed = await requireDrawn(context, input, series);
  const before = await signedAudit(releaseStore, believed, input);
  const staged = await readStagedFiles(releaseStore, input);
  const written = [FILES.audit, ...kind.pageNames, ...METADATA_FILES, FILES.manifest];
  const data = new Map([...staged].filter(([name]) => !written.includes(name)));
  const report =
    before?.report ??
    failedBefore(staged.get(FILES.audit)) ??
    (await reportNow(context, believed, input, { series, data }));
  const own = await ownFiles(context, believed, input, { series, data, report });
  const manifest = before?.manifest ?? (await manifestNow(context, believed, input, series, [...data, ...own]));
  const audited = before ?? (await putAudit(releaseStore, believed, manifest, report, publisherKey));
  // Another process may have signed first, and found something else: its word stands.
  if (!audited.reportBytes.equals(own.get(FILES.audit)!)) return audit(context, input);
  own.set(FILES.manifest, audited.manifestBytes);
  await putOwn(context, input, own, audited.manifest);
  const manifestDigest = sha256(audited.manifestBytes);
  return { manifestDigest, verdict: report.verdict, attention: attentionPoints(report) };
}

type Staged = { series: Series; data: ReleaseFiles };

/** Comes to a verdict. */
async function reportNow(
  context: PublicContext,
  believed: Believed,
  input: AuditInput,
  { series, data }: Staged,
): Promise<AuditReport> {
  const kind = kindOf(context.kinds, series);
  requireWhole(kind, series, input);
  await requireShadow(context.releaseStore, believed, input, input.shadow);
  return kind.audit(context, input, series, data);
}

/** The files that follow from a verdict: audit.json, the pages and the metadata, in the order in which they are made. */
async function ownFiles(
  context: PublicContext,
  { ledger }: Believed,
  input: DeriveInput,
  { series, data, report }: Staged & { report: AuditReport },
): Promise<Map<string, Buffer>> {
  const own = new Map([[FILES.audit as string, jsonBytes(report)]]);
  const versions = versionsInWords(ledger.entries, input);
  const pages = await kindOf(context.kinds, series).pages(input, series, { report, versions }, context);
  for (const [name, bytes] of pages) own.set(name, bytes);
  const described = await describedRelease(context, input, series, { files: new Map([...data, ...own]), versions });
  for (const [name, text] of metadataFiles(described)) own.set(name, Buffer.from(text, 'utf8'));
  return own;
}

async function manifestNow(
  context: PublicContext,
  { trust, ledger }: Believed,
  input: DeriveInput,
  series: Series,
  files: [name: string, bytes: Buffer][],
): Promise<Manifest> {
  const { sources, runtime } = context.build;
  const facts = {
    kind: series.kind,
    publicLists: kindOf(context.kinds, series).publicLists(series),
    build: { sources, runtime: await runtime() },
    trust: numberedVersion(newestVersion(trust)),
    ledger: tipOf(ledger),
    policyDigest: policyDigestOf(ledger, input.charge),
  };
  return manifestOf(input, series, facts, new Map(files));
}

/** Puts what the manifest lists. */
async function putOwn(
  { releaseStore }: PublicContext,
  input: DeriveInput,
  own: ReleaseFiles,
  manifest: Manifest,
): Promise<void> {
  const listed = new Map(manifest.files.map((file) => [file.name, file.sha256]));
  for (const [name, bytes] of own) {
    const key = RELEASE_KEYS.staged(input, name);
    const wanted = name === FILES.manifest ? sha256(bytes) : listed.get(name);
    // The pages of another build have other words: those of the build that signed are not put over by these.
    const isListed = sha256(bytes) === wanted;
    const stored = isListed ? await putOnce(releaseStore, key, bytes) : await readBytesIfPresent(releaseStore, key);
    if (!stored || sha256(stored) !== wanted) throw otherStaged(name);
  }
}

/** Every partition of the window is drawn or a hole, once. Whoever answers for stages could leave one out unseen. */
function requireWhole(kind: PublicKind, series: Series, { window, draws, holes }: AuditInput): void {
  const told = [...draws.map(({ partition }) => partition), ...holes].map(partitionPath).sort();
  const wanted = windowPartitions(series, kind.parts(series), window).map(partitionPath).sort();
  if (told.join(' ') === wanted.join(' ')) return;
  throw new OpalineError('VERIFICATION_FAILED', 'The audit is not told of every partition of the window once.');
}

/** A stored verdict that fails the release. It may be anybody's: it can stop a release, and nothing else. */
function failedBefore(bytes: Buffer | undefined): AuditReport | null {
  if (!bytes) return null;
  const report = auditReportSchema.parse(JSON.parse(bytes.toString('utf8')));
  return report.verdict === 'fail' ? report : null;
}

const otherStaged = (name: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} is not the one that was audited; find out who wrote it, take it away, and retry.`,
  );

/** What the ledger says of this window up to the charge of the release: the same however often it is asked. */
function versionsInWords(entries: readonly LedgerEntry[], input: DeriveInput): string[] {
  const own = reserveOfCharge({ entries }, input.charge)?.sequence ?? 0;
  return windowVersions(entries.slice(0, own), input);
}

async function describedRelease(
  context: PublicContext,
  input: DeriveInput,
  series: Series,
  { files, versions }: { files: ReleaseFiles; versions: readonly string[] },
): Promise<DescribedRelease> {
  const { kind, publication, window } = series;
  return {
    release: input,
    ...{ kind, publication, window, versions },
    description: await kindOf(context.kinds, series).describe(input, series, context),
    files: writtenFiles(files),
    nextExpected: expectedBy(series, input.window),
  };
}

const writtenFiles = (files: ReleaseFiles): Manifest['files'] =>
  [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length }));

function manifestOf(
  input: DeriveInput,
  { population }: Series,
  facts: Pick<Manifest, 'kind' | 'publicLists' | 'build' | 'trust' | 'ledger' | 'policyDigest'>,
  files: ReleaseFiles,
): Manifest {
  const { series, window, version, seriesDigest, charge, correction } = input;
  const partitions = [
    ...input.draws.map(({ partition, digest }) => ({ ...partition, privatizedTable: digest, hole: null })),
    ...input.holes.map(({ part, day, code }) => ({ part, day, privatizedTable: null, hole: code })),
  ];
  return manifestSchema.parse({
    format: MANIFEST_FORMAT,
    ...facts,
    ...{ series, window, version, population, seriesDigest, charge },
    correction: correction && {
      of: correction.of,
      reason: correction.reason,
      redrawn: correction.partitions.map(partitionPath).sort(),
    },
    partitions: partitions.sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1)),
    files: writtenFiles(files),
  });
}
