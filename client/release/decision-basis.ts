import { OpalineError } from '../../contracts/errors.ts';
import type { Passkey } from '../../contracts/formats/trust.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { GateKind } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import { gateFor } from '../../services/decisions/gate-signers.ts';
import { gateTurns } from '../../services/decisions/gate-turns.ts';
import { requireAudited } from '../../services/draws/stage-receipt.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { type AuditedRelease, loadFiles, requireAuditedRelease } from '../../services/publication/audited-release.ts';
import { credentialKeyId } from '../../services/signing/credential.ts';
import type { DecisionBasis } from '../../services/signing/decision-statement.ts';
import { keyIdOfPem, publicKeyOf } from '../../services/signing/keys.ts';
import { isSameSubject } from '../../services/signing/subjects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import { type Approver, approversOf, elsewhereAt, present, quorumAt } from '../../services/trust/trusted-approvers.ts';

/**
 * A release before somebody approves it: a public worker has audited this very manifest, the private worker has signed
 * its tables, and everything that would be published is as it was audited. Nobody is to sign what a writer of the
 * release store has made up. Throws COPY_DIFFERS, VERIFICATION_FAILED, LEDGER_BROKEN and TRUST_INVALID.
 *
 * @contract C16
 */
export async function requireApprovable(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease> {
  const audit = await requireAuditedRelease(reader, release);
  await requireAudited(audit.grounds, audit.manifest, audit.manifestDigest, null);
  await loadFiles(reader.releaseStore, audit);
  return audit;
}

/** Who signs: whoever has a key file (PKCS#8 PEM), or a person by name, with a passkey. */
export type Signer = { privateKey: string } | { subject: string };

/**
 * Who signs on a release, and under what: the person's own trust file, the ledger as it is now, the approvals that both
 * files require, and what was withdrawn and reopened at the gate. Throws SUBJECT_UNKNOWN when the signer is no approver,
 * or a name without a passkey, and TRUST_INVALID.
 */
export async function decisionBasis(
  { releaseStore, trust }: LedgerReader,
  run: Run & { manifestDigest: string; gate: GateKind },
  signer: Signer,
): Promise<DecisionBasis & { subject: string; passkeys: Passkey[]; isOwn: boolean }> {
  const series = await readSeries(releaseStore, run);
  const chain = await trust();
  const version = newestVersion(chain);
  const approvers = present(approversOf(version, series), series.population);
  const isSigner =
    'privateKey' in signer
      ? (one: Approver) => credentialKeyId(one) === keyIdOfPem(publicKeyOf(signer.privateKey))
      : (one: Approver) => 'passkey' in one && isSameSubject(one.subject, signer.subject);
  const own = approvers.filter(isSigner);
  const [approver] = own;
  if (!approver)
    throw new OpalineError(
      'SUBJECT_UNKNOWN',
      'privateKey' in signer
        ? `This key belongs to no approver of ${run.series} in the trust file; have its public key named there.`
        : `${signer.subject} has no passkey as an approver of ${run.series} in the trust file; have one named there.`,
    );
  const ledger = await verifyLedger({ releaseStore, trust: async () => chain }, series.population);
  const chargedAt = reserveOfRelease(ledger.entries, run)?.sequence ?? 0;
  const gate = await gateFor({ releaseStore, trust: chain, ledger, series, chargedAt }, run);
  const turns = await gateTurns(gate, run);
  return {
    subject: approver.subject,
    isOwn: gate.startedBy !== null && isSameSubject(gate.startedBy, approver.subject),
    passkeys: own.flatMap((one) => ('passkey' in one ? one.passkey : [])),
    trust: pinOf(version),
    ledger: tipOf(ledger),
    required: quorumAt(gate),
    elsewhere: elsewhereAt(gate),
    after: [...turns.withdrawals, ...turns.reopenings],
  };
}
