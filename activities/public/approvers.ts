import type { Passkey } from '../../contracts/formats/trust.ts';
import type { Run, SigningApprover, SigningApprovers } from '../../contracts/stages.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { rawKeyOf } from '../../services/signing/credential.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { approversOfSeries } from '../../services/trust/trusted-approvers.ts';

/**
 * Who may sign at the gate of a release now: the approvers of the trust file for its series. The gate turns away by it
 * what nobody of them has signed; what counts is decided by `decide`, from the trust file of that moment.
 *
 * Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export async function approvers({ trust }: PublicContext, run: Run): Promise<SigningApprovers> {
  const version = newestVersion(await trust());
  const signers = approversOfSeries(version, run.series).flatMap((one) => {
    const raw = rawKeyOf(one);
    return raw ? [{ subject: one.subject, ...raw, passkey: 'passkey' in one ? termsOf(one.passkey) : null }] : [];
  });
  return { digest: version.digest, approvers: signers };
}

const termsOf = ({ algorithm, relyingParty, origins }: Passkey): SigningApprover['passkey'] => ({
  algorithm,
  relyingParty,
  origins,
});
