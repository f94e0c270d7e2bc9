import type { Envelope } from '../../contracts/decision.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import type { Believed } from '../draws/draw-receipt.ts';
import { putAudit, requireShadow, type SignedAudit, signedAudit } from '../draws/stage-receipt.ts';
import { tipOf } from '../ledger/ledger-tip.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../trust/trust-chain.ts';
import {
  auditedMetadata,
  auditedPages,
  fileFacts,
  inOrder,
  type Judged,
  putAudited,
  writtenNames,
} from './audited-files.ts';
import type { PublicContext } from './context.ts';
import { policyDigestOf, requireDrawn } from './drawn-tables.ts';

/**
 * Attacks the staged bytes and signs what it found with the manifest over every staged file; then it writes audit.json,
 * its page, the statement, the metadata, and the manifest. Tables and shadow run are taken with their receipts only, and
 * what lies staged of its own files has to be what it signed: whoever writes there could have put a verdict that nobody
 * came to. Throws VERIFICATION_FAILED, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: the receipt is written first and at once, and each file if absent. The first receipt stands,
 * whatever would be found now.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: AuditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const { receipts, ...believed } = await requireDrawn(context, input, series);
  const before = await signedAudit(releaseStore, believed, input, RELEASE_KEYS.auditReceipt(input));
  const { audited, own } = before
    ? await withFiles(context, believed, { input, series }, before)
    : await auditNow(context, believed, { input, series, receipts });
  const { manifestBytes, report } = audited;
  await putAudited(releaseStore, (name) => RELEASE_KEYS.staged(input, name), own, audited);
  return { manifestDigest: sha256(manifestBytes), verdict: report.verdict, attention: attentionPoints(report) };
}

/** An audit that stands, with the files that it writes. */
type WithFiles = { audited: SignedAudit; own: ReleaseFiles };

/** Comes to a verdict and signs it; the one that stands, which another process may have signed first. */
async function auditNow(
  context: PublicContext,
  believed: Believed,
  { input, series, receipts }: { input: AuditInput; series: Series; receipts: ReadonlyMap<string, Envelope> },
): Promise<WithFiles> {
  const { releaseStore, publisherKey } = context;
  const kind = kindOf(context.kinds, series);
  await requireShadow(releaseStore, believed, input, input.shadow);
  const staged = await readStagedFiles(releaseStore, input);
  const data = new Map([...staged].filter(([name]) => !writtenNames(context, series).includes(name)));
  const report = await kind.audit(context, input, series, data);
  const own = await ownFiles(context, believed, { input, series, report }, fileFacts(data));
  const { sources, runtime } = context.build;
  const facts = {
    kind: series.kind,
    publicLists: kind.publicLists(series),
    build: { sources, runtime: await runtime() },
    trust: numberedVersion(newestVersion(believed.trust)),
    ledger: tipOf(believed.ledger),
    policyDigest: policyDigestOf(believed.ledger, input.charge),
  };
  const manifest = manifestOf(input, series, { ...facts, receipts }, [...fileFacts(data), ...fileFacts(own)]);
  const key = RELEASE_KEYS.auditReceipt(input);
  const audited = await putAudit(releaseStore, believed, { manifest, report }, publisherKey, key);
  const isOwn = audited.manifestBytes.equals(jsonBytes(manifest));
  return isOwn ? { audited, own } : withFiles(context, believed, { input, series }, audited);
}

/** An audit that was signed before, with the files that follow from it. */
async function withFiles(
  context: PublicContext,
  believed: Believed,
  { input, series }: Omit<Judged, 'report'>,
  audited: SignedAudit,
): Promise<WithFiles> {
  const { manifest, report } = audited;
  const data = manifest.files.filter(({ name }) => !writtenNames(context, series).includes(name));
  return { audited, own: await ownFiles(context, believed, { input, series, report }, data) };
}

/** What is said of a release beside its data: the verdict, the pages about it, and the metadata. The same every time. */
async function ownFiles(
  context: PublicContext,
  believed: Believed,
  judged: Judged,
  data: Manifest['files'],
): Promise<Map<string, Buffer>> {
  const own = new Map([[FILES.audit as string, jsonBytes(judged.report)]]);
  for (const [name, bytes] of await auditedPages(context, believed, judged)) own.set(name, bytes);
  const described = [...data, ...fileFacts(own)];
  for (const [name, bytes] of await auditedMetadata(context, believed, judged, described)) own.set(name, bytes);
  return own;
}

function manifestOf(
  input: DeriveInput,
  { population }: Series,
  {
    receipts,
    ...facts
  }: Pick<Manifest, 'kind' | 'publicLists' | 'build' | 'trust' | 'ledger' | 'policyDigest'> & {
    receipts: ReadonlyMap<string, Envelope>;
  },
  files: Manifest['files'],
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
    partitions: partitions
      .map((one) => ({ ...one, receipt: receipts.get(partitionPath(one)) }))
      .sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1)),
    files: inOrder(files),
  });
}
