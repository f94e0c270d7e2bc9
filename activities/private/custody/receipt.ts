import { DRAW_RECEIPT_FORMAT, type DrawReceipt } from '../../../contracts/formats/draw-receipt.ts';
import { type Partition, RELEASE_KEYS, releasePath } from '../../../contracts/names.ts';
import type { Run } from '../../../contracts/stages.ts';
import { signDocument } from '../../signing/signed-document.ts';
import { jsonBytes } from '../../stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';
import { putCopy } from './copies.ts';

/**
 * Signs that a table is the one that was drawn, and puts that beside its copy. The same table gives the same bytes, so
 * that nothing has to be kept. Throws COPY_DIFFERS.
 *
 * @contract C11
 */
export async function putReceipt(
  { releaseStore, ledgerKey }: Pick<PrivateContext, 'releaseStore' | 'ledgerKey'>,
  run: Run,
  partition: Partition,
  charge: string,
  table: string,
): Promise<void> {
  const receipt: DrawReceipt = {
    format: DRAW_RECEIPT_FORMAT,
    release: releasePath(run),
    ...partition,
    charge,
    seriesDigest: run.seriesDigest,
    table,
  };
  await putCopy(releaseStore, RELEASE_KEYS.receipt(run, partition), jsonBytes(signDocument(receipt, ledgerKey)));
}
