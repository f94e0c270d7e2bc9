import type { Envelope } from '../../contracts/decision.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/verdict/verdict.ts';
import type { Believed } from '../../services/draws/draw-receipt.ts';
import {
  auditInputs,
  putAudit,
  requireShadow,
  type SignedAudit,
  signedAudit,
} from '../../services/draws/stage-receipt.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { fileFacts, type KindTexts, releaseTexts } from '../../services/publication/release-texts.ts';
import type { ReleaseFiles } from '../../services/publication/staged-files.ts';
import {
  buildFacts,
  dataFiles,
  inOrder,
  putAudited,
  refuseStrays,
  requireStaged,
  textFacts,
} from '../../services/release/audited-files.ts';
import type { PublicContext } from '../../services/release/context.ts';
import { policyDigestOf, requireDrawn } from '../../services/release/drawn-tables.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../../services/trust/trust-chain.ts';

/**
 * Attacks what the receipted tables and public parameters give, when what is staged has the same bytes, and signs what it
 * found with the manifest over every staged file; then it writes audit.json, its page, the statement, the metadata, and
 * the manifest. Tables and shadow run are taken with their receipts only, and nothing that lies staged is believed:
 * whoever writes there could have put numbers that nobody drew, and a verdict that nobody came to. Throws
 * VERIFICATION_FAILED, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: the receipt is written first and at once, and each file if absent. The first receipt on these draws,
 * holes and series file stands, whatever would be found now.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: AuditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const { receipts, ...believed } = await requireDrawn(context, input, series);
  const made = await dataFiles(context, input, series);
  const texts = await kindOf(context.kinds, series).texts(made);
  const inputs = auditInputs(input, input.seriesDigest);
  const before = await signedAudit(releaseStore, believed, input, inputs);
  const audited = before ?? (await auditNow(context, believed, { input, series, inputs, receipts, texts }, made));
  const { manifest, manifestBytes, report } = audited;
  const data = manifest.files.filter(({ name }) => made.has(name));
  const own = await releaseTexts(manifest, texts, [report], data);
  const keyOf = (name: string): string => RELEASE_KEYS.staged(input, manifest.build.sources, name);
  await putAudited(releaseStore, keyOf, new Map([...made, ...own]), audited);
  await refuseStrays(releaseStore, keyOf(''), [...manifest.files.map(({ name }) => name), FILES.manifest]);
  return { manifestDigest: sha256(manifestBytes), verdict: report.verdict, attention: attentionPoints(report) };
}

/** What an audit is of: the digest of its inputs, and what the private worker signed of each partition. */
type AuditedInputs = {
  input: AuditInput;
  series: Series;
  inputs: string;
  receipts: ReadonlyMap<string, Envelope>;
  texts: KindTexts;
};

/** Comes to a verdict and signs it; gives the one that stands, which another process may have signed first. */
async function auditNow(
  context: PublicContext,
  believed: Believed,
  { input, series, inputs, receipts, texts }: AuditedInputs,
  data: ReleaseFiles,
): Promise<SignedAudit> {
  const { releaseStore, publisherKey } = context;
  const kind = kindOf(context.kinds, series);
  await requireShadow(releaseStore, believed, input, input.shadow);
  await requireStaged(context, input, data);
  const report = await kind.audit(context, input, series, data);
  const facts = {
    kind: series.kind,
    texts: textFacts(believed.ledger, series, input),
    publicLists: kind.terms(series).lists,
    build: await buildFacts(context),
    trust: numberedVersion(newestVersion(believed.trust)),
    ledger: tipOf(believed.ledger),
    policyDigest: policyDigestOf(believed.ledger, input.charge),
  };
  const files = fileFacts(data);
  const own = await releaseTexts({ ...input, ...facts }, texts, [report], files);
  const manifest = manifestOf(input, series, { ...facts, receipts }, [...files, ...fileFacts(own)]);
  return putAudit(releaseStore, believed, { inputs, manifest, report }, publisherKey);
}

function manifestOf(
  input: DeriveInput,
  { population }: Series,
  {
    receipts,
    ...facts
  }: Pick<Manifest, 'kind' | 'texts' | 'publicLists' | 'build' | 'trust' | 'ledger' | 'policyDigest'> & {
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
