import type { Envelope } from '../../contracts/decision.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/verdict/verdict.ts';
import type { Believed } from '../../services/draws/require-receipts.ts';
import { auditInputs, type SignedAudit, signedAudit, signedAudits } from '../../services/draws/stage-receipt.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { releaseTexts } from '../../services/publication/release-texts.ts';
import {
  type Auditable,
  auditNow,
  buildFacts,
  dataFiles,
  putAudited,
  refuseStrays,
  textFacts,
} from '../../services/release/audited-files.ts';
import { policyDigestOf, requireDrawn } from '../../services/release/drawn-tables.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
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
 * holes and series file stands, whatever would be found now. Of a release that was audited again under a corrected
 * declaration it gives the second audit, as people decide on that.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: DeriveInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const { receipts, ...believed } = await requireDrawn(context, input, series);
  const made = await dataFiles(context, input, series);
  const texts = await kindOf(context.kinds, series).texts(made);
  const inputs = auditInputs(input, input.seriesDigest);
  const before = await signedAudit(releaseStore, believed, input, inputs);
  const release = { input, series, declared: series, inputs, texts, data: made };
  const audited =
    before ?? (await auditNow(context, believed, release, await manifestFacts(context, believed, release, receipts)));
  const { manifest, report } = audited;
  const data = manifest.files.filter(({ name }) => made.has(name));
  const own = await releaseTexts(manifest, texts, [report], data);
  const keyOf = (name: string): string => RELEASE_KEYS.staged(input, manifest.build.sources, name);
  await putAudited(releaseStore, keyOf, new Map([...made, ...own]), audited);
  await refuseStrays(releaseStore, keyOf(''), [...manifest.files.map(({ name }) => name), FILES.manifest]);
  const second = (await signedAudits(releaseStore, believed, input)).find(({ report }) => report.corrected);
  return second ? { ...resultOf(second), firstVerdict: report.verdict } : resultOf(audited);
}

const resultOf = ({ manifestBytes, report }: SignedAudit): AuditResult => ({
  manifestDigest: sha256(manifestBytes),
  verdict: report.verdict,
  attention: attentionPoints(report),
});

/** What the manifest says besides its files. */
async function manifestFacts(
  context: PublicContext,
  { trust, ledger }: Believed,
  { input, series: declared }: Auditable,
  receipts: ReadonlyMap<string, Envelope>,
): Promise<Omit<Manifest, 'format' | 'files'>> {
  const { series, window, version, seriesDigest, charge, correction } = input;
  const partitions = [
    ...input.draws.map(({ partition, digest }) => ({ ...partition, privatizedTable: digest, hole: null })),
    ...input.holes.map(({ part, day, code }) => ({ part, day, privatizedTable: null, hole: code })),
  ];
  return {
    kind: declared.kind,
    texts: textFacts({ trust, ledger, series: declared }, declared, input),
    publicLists: kindOf(context.kinds, declared).terms(declared).lists,
    build: await buildFacts(context),
    trust: numberedVersion(newestVersion(trust)),
    ledger: tipOf(ledger),
    policyDigest: policyDigestOf(ledger, charge),
    ...{ series, window, version, population: declared.population, seriesDigest, charge },
    correction: correction && {
      of: correction.of,
      reason: correction.reason,
      redrawn: correction.partitions.map(partitionPath).sort(),
    },
    partitions: partitions
      .map((one) => ({ ...one, receipt: receipts.get(partitionPath(one))! }))
      .sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1)),
  };
}
