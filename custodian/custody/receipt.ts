import { receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { type Partition, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { type PartitionOutcome, receiptOf } from '../../services/draws/require-receipts.ts';
import { findSigners, type Schema, signDocument } from '../../services/signing/signed-document.ts';
import { parseDocument } from '../../services/signing/signed-objects.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { putCopy } from './copies.ts';

type Signer = Pick<PrivateContext, 'releaseStore' | 'ledgerKey' | 'ledgerKeys'>;

/** Signs what became of a partition, and puts that beside the copy of its table. Throws as putSigned does. */
export const putReceipt = (
  signer: Signer,
  run: Run,
  partition: Partition,
  reserve: Reserve,
  outcome: PartitionOutcome,
): Promise<void> => {
  const receipt = receiptOf(reserve, run.seriesDigest, partition, outcome);
  return putSigned(signer, RELEASE_KEYS.receipt(run, partition), receiptSchema, receipt, reserve);
};

/**
 * Signs a receipt of work under a reserve, and puts it into the release store. One that says the same, of a key that was
 * valid at the reserve, is the same one: the ledger's key may have changed since. Throws COPY_DIFFERS.
 *
 * @contract C11
 * @contract C16
 */
export async function putSigned<T extends object>(
  { releaseStore, ledgerKey, ledgerKeys }: Signer,
  key: string,
  schema: Schema<T>,
  receipt: T,
  { population, sequence }: Reserve,
): Promise<void> {
  const isSame = (before: Buffer): boolean => {
    const copy = parseDocument(before, schema);
    if (!copy || canonicalJson(copy.document) !== canonicalJson(receipt)) return false;
    return findSigners(copy.envelope, ledgerKeys(population, sequence)).size > 0;
  };
  await putCopy(releaseStore, key, jsonBytes(signDocument(receipt, ledgerKey)), isSame);
}
