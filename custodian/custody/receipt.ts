import { receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { type Partition, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { type PartitionOutcome, receiptOf } from '../../services/draws/require-receipts.ts';
import { signDocument, signingKeys } from '../../services/signing/signed-document.ts';
import { storedDocument } from '../../services/signing/signed-objects.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { putCopy } from './copies.ts';

/**
 * Signs what became of a partition, and puts that beside the copy of its table. A receipt that says the same, of a key
 * that was valid at its reserve, is the same one: the ledger's key may have changed since. Throws COPY_DIFFERS.
 *
 * @contract C11
 * @contract C16
 */
export async function putReceipt(
  { releaseStore, ledgerKey, ledgerKeys }: Pick<PrivateContext, 'releaseStore' | 'ledgerKey' | 'ledgerKeys'>,
  run: Run,
  partition: Partition,
  reserve: Reserve,
  outcome: PartitionOutcome,
): Promise<void> {
  const receipt = receiptOf(reserve, run.seriesDigest, partition, outcome);
  const isSame = (before: Buffer): boolean => {
    const stored = storedDocument(before, receiptSchema);
    if (!stored || canonicalJson(stored.document) !== canonicalJson(receipt)) return false;
    return signingKeys(stored.envelope, ledgerKeys(reserve.population, reserve.sequence)).size > 0;
  };
  const bytes = jsonBytes(signDocument(receipt, ledgerKey));
  await putCopy(releaseStore, RELEASE_KEYS.receipt(run, partition), bytes, isSame);
}
