import type { Run, SigningApprovers } from '../../contracts/stages.ts';
import { newestDeciders } from '../decisions/deciders.ts';
import { rawKey } from '../signing/keys.ts';
import type { PublicContext } from './context.ts';

/**
 * Who may sign at the gate of a release now. The gate turns away by it what nobody of them has signed; what counts is
 * decided by `decide`, from the list of that moment. A key that cannot be read is left out, as nobody can sign with it.
 *
 * Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export async function approvers({ releaseStore }: PublicContext, run: Run): Promise<SigningApprovers> {
  const { deciders, seriesDigest } = await newestDeciders(releaseStore, run);
  const signing = deciders.gate.approvers.flatMap((approver) => {
    const key = 'key' in approver ? rawKey(approver.key) : null;
    return key ? [{ subject: approver.subject, ...key }] : [];
  });
  return { digest: seriesDigest, approvers: signing };
}
