import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { attestationStatementSchema } from '../../contracts/formats/attestation.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { endCharge, reserveOf } from '../../custodian/custody/custody-charge.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { findSigners, readDocument } from '../../services/signing/signed-document.ts';

/**
 * Ends the charge of a published release. It takes the word of a publisher for that, and of nobody else: the statement in
 * the attestation. Throws SIGNATURE_INVALID for what is no such statement, and VERIFICATION_FAILED for one of another
 * release or key.
 *
 * Safe to run twice: the second run finds its entry.
 *
 * @contract C12
 * @contract safe-to-retry
 */
export async function commit(
  context: PrivateContext,
  { statement: envelope, ...run }: Run & { statement: Envelope },
): Promise<void> {
  const reserve = await reserveOf(context, run);
  const statement = readDocument(envelope, attestationStatementSchema, 'attestation');
  const { sequence } = statement.ledger;
  const keys = context.publisherKeys(reserve.population, sequence);
  const isOfRelease = statement.release === releasePath(run) && statement.seriesDigest === run.seriesDigest;
  if (!isOfRelease || sequence < reserve.sequence || findSigners(envelope, keys).size === 0)
    throw new OpalineError(
      'VERIFICATION_FAILED',
      `No publisher of the trust file has signed that ${reserve.release} is public, so that the ledger does not say it.`,
    );
  await endCharge(context, run, { kind: 'commit' });
}
