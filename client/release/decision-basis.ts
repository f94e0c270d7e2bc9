import { requireAudited } from '../../activities/draws/stage-receipt.ts';
import { believedLedger, type LedgerReader } from '../../activities/ledger/believed-ledger.ts';
import { tipOf } from '../../activities/ledger/ledger-tip.ts';
import {
  type AuditedRelease,
  auditedFiles,
  requireAuditedRelease,
} from '../../activities/publication/audited-release.ts';
import type { DecisionBasis } from '../../activities/signing/decision.ts';
import { keyIdOfPem, publicKeyOf } from '../../activities/signing/keys.ts';
import { readSeries } from '../../activities/stores/series-objects.ts';
import { approversOf, requiredApprovals } from '../../activities/trust/approvers.ts';
import { newestVersion, numberedVersion } from '../../activities/trust/trust-chain.ts';
import { keyWithId } from '../../activities/trust/trusted-keys.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';

/**
 * A release before somebody approves it: a public worker has audited this very manifest, the private worker has signed
 * its tables, and everything that would be published is as it was audited. Nobody is to sign what whoever writes the
 * release store has made up. Throws COPY_DIFFERS, VERIFICATION_FAILED, LEDGER_BROKEN and TRUST_INVALID.
 *
 * @contract C16
 */
export async function requireApprovable(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease> {
  const audited = await requireAuditedRelease(reader, release);
  await requireAudited(reader.releaseStore, audited.believed, audited.manifest, audited.manifestDigest);
  await auditedFiles(reader.releaseStore, audited);
  return audited;
}

/**
 * Who signs with a private key on a release, and under what: the person's own trust file, the ledger as it is now, and
 * the approvals that both files require. Throws SUBJECT_UNKNOWN when the key is that of no approver, and TRUST_INVALID.
 */
export async function decisionBasis(
  { releaseStore, trust }: LedgerReader,
  run: { series: string; seriesDigest: string },
  privateKey: string,
): Promise<DecisionBasis & { subject: string }> {
  const series = await readSeries(releaseStore, run);
  const chain = await trust();
  const version = newestVersion(chain);
  const approver = keyWithId(approversOf(version, series), keyIdOfPem(publicKeyOf(privateKey)));
  if (!approver)
    throw new OpalineError(
      'SUBJECT_UNKNOWN',
      `This key belongs to no approver of ${run.series} in the trust file; have its public key named there.`,
    );
  const ledger = tipOf(await believedLedger({ releaseStore, trust: async () => chain }, series.population));
  const required = requiredApprovals(version, series);
  return { subject: approver.subject, trust: numberedVersion(version), ledger, required };
}
