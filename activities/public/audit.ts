import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { AuditResult, StagedInput } from '../../contracts/stages.ts';
import { type Grounds, reserveOfCharge } from '../../services/draws/require-receipts.ts';
import { readAudit, readAudits } from '../../services/draws/stage-receipt.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import {
  type Auditable,
  auditable,
  auditNow,
  buildFacts,
  putAudited,
  refuseStrays,
  resultOf,
  textFacts,
} from '../../services/release/audited-files.ts';
import { requireDrawn } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';

/**
 * Attacks what the receipted tables and public parameters give, when what is staged has the same bytes, and signs what it
 * found with the manifest over every staged file; then it writes audit.json, its page, the statement, the metadata, and
 * the manifest. Tables and shadow run are taken with their receipts only, and nothing that is staged is believed:
 * whoever writes there could have put numbers that nobody drew, and a verdict that nobody came to. Throws
 * VERIFICATION_FAILED, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: the receipt is written first and at once, and each file if absent. The first receipt on these draws,
 * holes and series file stays valid, whatever would be found now. Of a release that was audited again under a corrected
 * declaration it gives the second audit, as people decide on that.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: StagedInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const { series, grounds, partitions, release: drawn } = await requireDrawn(context, input);
  const release = await auditable(context, drawn, series, [series, input.seriesDigest]);
  const before = await readAudit(grounds, input, release.inputs);
  const first =
    before ?? (await auditNow(context, grounds, release, await manifestFacts(context, grounds, release, partitions)));
  const { manifest, report } = first;
  const keyOf = (name: string): string => RELEASE_KEYS.staged(input, manifest.build.sources, name);
  await putAudited(releaseStore, keyOf, release, [report], first);
  await refuseStrays(releaseStore, keyOf(''), [...manifest.files.map(({ name }) => name), FILES.manifest]);
  const second = (await readAudits(grounds, input)).find(({ report }) => report.corrected);
  if (!second) return resultOf(sha256(first.manifestBytes), report);
  return { ...resultOf(sha256(second.manifestBytes), second.report), firstVerdict: report.verdict };
}

/** What the manifest says besides its files. */
async function manifestFacts(
  context: PublicContext,
  { trust, ledger }: Grounds,
  { input, series: declared }: Auditable,
  partitions: Manifest['partitions'],
): Promise<Omit<Manifest, 'format' | 'files'>> {
  const { series, window, version, seriesDigest, charge, correction } = input;
  return {
    kind: declared.kind,
    texts: textFacts({ trust, ledger }, declared, input),
    publicLists: kindOf(context.kinds, declared).terms(declared).lists,
    build: await buildFacts(context),
    trust: pinOf(newestVersion(trust)),
    ledger: tipOf(ledger),
    policyDigest: reserveOfCharge(ledger, charge)?.policy.digest ?? null,
    series,
    window,
    version,
    population: declared.population,
    seriesDigest,
    charge,
    correction: correction && {
      of: correction.of,
      reason: correction.reason,
      redrawn: correction.partitions.map(partitionPath).sort(),
    },
    partitions,
  };
}
