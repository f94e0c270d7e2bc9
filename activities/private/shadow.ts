import {
  SHADOW_RECEIPT_FORMAT,
  type ShadowReceipt,
  shadowReceiptSchema,
} from '../../contracts/formats/stage-receipts.ts';
import { PRIVATE_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Run, Shadow } from '../../contracts/stages.ts';
import { admitCharged } from '../../custodian/custody/custody-charge.ts';
import { putSigned } from '../../custodian/custody/receipt.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { withEmptyPool } from '../../custodian/randomness.ts';
import { shadowWorld } from '../../custodian/shadow-world.ts';
import { jsonBytes, putOnce, readBytesIfPresent, sha256 } from '../../services/stores/json-objects.ts';
import { privatize } from './privatize.ts';
import { reserve } from './reserve.ts';

/**
 * Runs what draws every release of this kind, with the same source of randomness and the certificate of the series, on
 * counts that are made up, and tells what it did. It reads no counts. The tallies that are stored first are those of the
 * release, so that nobody has it tried until they please; a receipt signs them, as others can answer in its place.
 *
 * Safe to run twice: tallies are put if absent, and the same ones give the same receipt.
 *
 * @contract C15
 * @contract safe-to-retry
 */
export async function shadow(context: PrivateContext, input: Run): Promise<Shadow> {
  const { privateStore } = context;
  const { kind, series, run, charge, reserve: reserved } = await admitCharged(context, input);
  const world = () => shadowWorld(withEmptyPool(context), series, { reserve, privatize });
  const key = PRIVATE_KEYS.shadow(run);
  const stored =
    (await readBytesIfPresent(privateStore, key)) ??
    (await putOnce(privateStore, key, jsonBytes(await kind.shadow(world(), series))));
  const receipt: ShadowReceipt = {
    format: SHADOW_RECEIPT_FORMAT,
    release: releasePath(run),
    seriesDigest: run.seriesDigest,
    charge,
    shadow: sha256(stored),
  };
  await putSigned(context, RELEASE_KEYS.shadowReceipt(run), shadowReceiptSchema, receipt, reserved);
  return JSON.parse(stored.toString('utf8'));
}
