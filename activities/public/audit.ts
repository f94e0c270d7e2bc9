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
import { METADATA_FILES, metadataFiles } from '../../core/metadata/metadata-files.ts';
import { expectedBy } from '../calendar/expected-by.ts';
import { type Believed, reserveOfCharge } from '../draws/draw-receipt.ts';
import { putAudit, requireShadow, type SignedAudit, signedAudit } from '../draws/stage-receipt.ts';
import { tipOf } from '../ledger/ledger-tip.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { jsonBytes, putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../trust/trust-chain.ts';
import type { PublicContext, PublicKind } from './context.ts';
import { policyDigestOf, requireDrawn } from './drawn-tables.ts';

/**
 * Attacks the staged bytes and signs what it found with the manifest over every staged file; then it writes audit.json,
 * its page, the statement, the metadata, and the manifest. Tables and shadow run are taken with their receipts only, and
 * what lies staged of its own files has to be what it signed: whoever writes there could have put a verdict that nobody
 * came to. Throws VERIFICATION_FAILED, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: the receipt is written first and at once, and each file if absent. The first receipt stands,
 * whatever would be found now; so does a verdict of an earlier build that is stored and fails the release.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: AuditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const believed = await requireDrawn(context, input, series);
  const before = await signedAudit(releaseStore, believed, input);
  const audited = before ?? (await auditNow(context, believed, input, series));
  const { manifest, manifestBytes, report, reportBytes } = audited;
  const data = manifest.files.filter(({ name }) => !writtenNames(context, series).includes(name));
  const own = await pagesOf(context, believed, { input, series, report }, data);
  own.set(FILES.audit, reportBytes).set(FILES.manifest, manifestBytes);
  const listed = new Map(manifest.files.map((file) => [file.name, file.sha256]));
  listed.set(FILES.manifest, sha256(manifestBytes));
  for (const [name, bytes] of own) {
    const key = RELEASE_KEYS.staged(input, name);
    // The pages of another build have other words: those of the build that signed are not put over by these.
    const isListed = sha256(bytes) === listed.get(name);
    const stored = isListed ? await putOnce(releaseStore, key, bytes) : await readBytesIfPresent(releaseStore, key);
    if (!stored || sha256(stored) !== listed.get(name)) throw otherStaged(name);
  }
  return { manifestDigest: sha256(manifestBytes), verdict: report.verdict, attention: attentionPoints(report) };
}

/** Comes to a verdict and signs it; the one that stands, which another process may have signed first. */
async function auditNow(
  context: PublicContext,
  believed: Believed,
  input: AuditInput,
  series: Series,
): Promise<SignedAudit> {
  const { releaseStore, publisherKey } = context;
  const kind = kindOf(context.kinds, series);
  requireWhole(kind, series, input);
  await requireShadow(releaseStore, believed, input, input.shadow);
  const staged = await readStagedFiles(releaseStore, input);
  const data = new Map([...staged].filter(([name]) => !writtenNames(context, series).includes(name)));
  const report = failedBefore(staged.get(FILES.audit)) ?? (await kind.audit(context, input, series, data));
  const pages = await pagesOf(context, believed, { input, series, report }, fileFacts(data));
  const { sources, runtime } = context.build;
  const facts = {
    kind: series.kind,
    publicLists: kind.publicLists(series),
    build: { sources, runtime: await runtime() },
    trust: numberedVersion(newestVersion(believed.trust)),
    ledger: tipOf(believed.ledger),
    policyDigest: policyDigestOf(believed.ledger, input.charge),
  };
  const manifest = manifestOf(input, series, facts, new Map([...data, ...pages]));
  return putAudit(releaseStore, believed, manifest, report, publisherKey);
}

/** Names of what the audit writes itself; everything else that is staged is data. */
const writtenNames = (context: PublicContext, series: Series): readonly string[] => [
  FILES.audit,
  ...kindOf(context.kinds, series).pageNames,
  ...METADATA_FILES,
  FILES.manifest,
];

/** A release with the verdict on it. */
type Judged = { input: DeriveInput; series: Series; report: AuditReport };

/** What is said of a release beside its data: the verdict, the pages about it, and the metadata. The same every time. */
async function pagesOf(
  context: PublicContext,
  { ledger }: Believed,
  { input, series, report }: Judged,
  data: Manifest['files'],
): Promise<Map<string, Buffer>> {
  const kind = kindOf(context.kinds, series);
  const versions = versionsInWords(ledger.entries, input);
  const pages = new Map([[FILES.audit as string, jsonBytes(report)]]);
  for (const [name, bytes] of await kind.pages(input, series, { report, versions }, context)) pages.set(name, bytes);
  const described = {
    release: input,
    ...{ kind: series.kind, publication: series.publication, window: series.window, versions },
    description: await kind.describe(input, series, context),
    files: inOrder([...data, ...fileFacts(pages)]),
    nextExpected: expectedBy(series, input.window),
  };
  for (const [name, text] of metadataFiles(described)) pages.set(name, Buffer.from(text, 'utf8'));
  return pages;
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

const fileFacts = (files: ReleaseFiles): Manifest['files'] =>
  [...files].map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length }));

const inOrder = (files: Manifest['files']): Manifest['files'] => files.toSorted((a, b) => (a.name < b.name ? -1 : 1));

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
    files: inOrder(fileFacts(files)),
  });
}
