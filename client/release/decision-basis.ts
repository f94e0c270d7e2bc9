import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import { requireAudited } from '../../services/draws/stage-receipt.ts';
import { believedLedger, type LedgerReader } from '../../services/ledger/believed-ledger.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import {
  type AuditedRelease,
  auditedFiles,
  requireAuditedRelease,
} from '../../services/publication/audited-release.ts';
import type { DecisionBasis } from '../../services/signing/decision-statement.ts';
import { keyIdOfPem, publicKeyOf } from '../../services/signing/keys.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../../services/trust/trust-chain.ts';
import { approversOf, requiredAt } from '../../services/trust/trusted-approvers.ts';
import { keyWithId } from '../../services/trust/trusted-keys.ts';

/**
 * A release before somebody approves it: a public worker has audited this very manifest, the private worker has signed
 * its tables, and everything that would be published is as it was audited. Nobody is to sign what a writer of the
 * release store has made up. Throws COPY_DIFFERS, VERIFICATION_FAILED, LEDGER_BROKEN and TRUST_INVALID.
 *
 * @contract C16
 */
export async function requireApprovable(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease> {
  const audited = await requireAuditedRelease(reader, release);
  await requireAudited(reader.releaseStore, audited.believed, audited.manifest, audited.manifestDigest, null);
  await auditedFiles(reader.releaseStore, audited);
  return audited;
}

/**
 * Who signs with a private key on a release, and under what: the person's own trust file, the ledger as it is now, and
 * the approvals that both files require. Throws SUBJECT_UNKNOWN when the key is that of no approver, and TRUST_INVALID.
 */
export async function decisionBasis(
  { releaseStore, trust }: LedgerReader,
  run: Run,
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
  const ledger = await believedLedger({ releaseStore, trust: async () => chain }, series.population);
  const required = requiredAt({
    trust: chain,
    series,
    chargedAt: reserveOfRelease(ledger.entries, run)?.sequence ?? 0,
  });
  return { subject: approver.subject, trust: numberedVersion(version), ledger: tipOf(ledger), required };
}
