import {
  SHADOW_RECEIPT_FORMAT,
  type ShadowReceipt,
  shadowReceiptSchema,
} from '../../contracts/formats/stage-receipts.ts';
import { PRIVATE_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { admitCharged } from '../../custodian/custody/custody-charge.ts';
import { putSigned } from '../../custodian/custody/receipt.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { withEmptyPool } from '../../custodian/randomness.ts';
import { shadowWorld } from '../../custodian/shadow-world.ts';
import { jsonBytes, namesBelow, putOnce, readBytes } from '../../services/stores/json-objects.ts';
import { privatize } from './privatize.ts';
import { reserve } from './reserve.ts';

/**
 * Runs what draws every release of this kind, with the same source of randomness and the certificate of the series, on
 * counts that are made up, and signs what it did. It reads no counts. The tallies that a build stores first are its own
 * for the release, so that nobody has it tried until they please. Receipts of other builds that drew are put back, too:
 * their workers may be gone.
 *
 * Safe to run twice: tallies are put if absent, and the same ones give the same receipt.
 *
 * @contract C15
 * @contract safe-to-retry
 */
export async function shadow(context: PrivateContext, input: Run): Promise<void> {
  const { privateStore, build } = context;
  const { kind, series, run, charge, reserve: reserved } = await admitCharged(context, input);
  const world = () => shadowWorld(withEmptyPool(context), series, { reserve, privatize });
  const key = PRIVATE_KEYS.shadow(run, build);
  if ((await privateStore.head(key)) === null)
    await putOnce(privateStore, key, jsonBytes(await kind.shadow(world(), series)));
  for (const name of await namesBelow(privateStore, PRIVATE_KEYS.shadows(run))) {
    const receipt: ShadowReceipt = {
      format: SHADOW_RECEIPT_FORMAT,
      release: releasePath(run),
      seriesDigest: run.seriesDigest,
      charge,
      build: name,
      tallies: JSON.parse((await readBytes(privateStore, PRIVATE_KEYS.shadow(run, name))).toString('utf8')),
    };
    await putSigned(context, RELEASE_KEYS.shadowReceipt(run, name), shadowReceiptSchema, receipt, reserved);
  }
}
