import type { Run, SigningApprovers } from '../../contracts/stages.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { rawKey } from '../../services/signing/keys.ts';
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
  const signing = approversOfSeries(version, run.series).flatMap(({ subject, key }) => {
    const raw = rawKey(key);
    return raw ? [{ subject, ...raw }] : [];
  });
  return { digest: version.digest, approvers: signing };
}
