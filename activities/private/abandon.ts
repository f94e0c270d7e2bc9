import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../contracts/names.ts';
import { type Hole, OBJECT_CODES, type ObjectCode, type ObjectFault, type Run } from '../../contracts/stages.ts';
import { expandToScope } from '../../core/calendar/draw-scope.ts';
import { admitCharged, requireCharged } from '../../custodian/custody/custody-charge.ts';
import { codeOfHole, holeBytes } from '../../custodian/custody/hole.ts';
import { putReceipt } from '../../custodian/custody/receipt.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { newestInventory } from '../../custodian/source/inventory.ts';
import { readFaults } from '../../custodian/source/recorded-faults.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { putOnce, readBytesIfPresent } from '../../services/stores/json-objects.ts';

/**
 * Makes holes of partitions of a release that is in the ledger, and of all that are drawn together with them: each one
 * for ever, as it is stored where the draw would be. The worker's own newest inventory and what counting found say why;
 * nothing that is asked for is believed. A signed receipt says so in the release store. Throws ACTION_NOT_OFFERED when no
 * object holds one of them back or when one may have been drawn, and then none becomes a hole; and as charged does.
 *
 * Safe to run twice: a hole is put if absent, and answers again.
 *
 * @contract C6
 * @contract C16
 * @contract safe-to-retry
 */
export async function abandon(context: PrivateContext, input: Run & { partitions: Partition[] }): Promise<Hole[]> {
  const release = await admitCharged(context, input);
  const { run, kind, series, days, reserve } = release;
  const partitions = expandToScope(kind.terms(series), days, input.partitions);
  requireCharged(release, [...input.partitions, ...partitions]);
  const inventory = await newestInventory(context, run);
  const faults = [...inventory.faults, ...(await readFaults(context, run, inventory.round))];
  const holes = await mapAtOnce(partitions, 1, async ({ part, day }): Promise<Hole> => {
    return { part, day, code: await codeFor(context, run, { part, day }, faults) };
  });
  for (const hole of holes) {
    const bytes = holeBytes(run, hole, hole.code);
    const object = await putOnce(context.privateStore, PRIVATE_KEYS.privatized(run, hole), bytes);
    // A draw that came first is kept, and one that comes later finds the hole.
    if (!object.equals(bytes)) throw mayBeDrawn(hole);
    await putReceipt(context, run, hole, reserve, hole);
  }
  return holes;
}

/** The code of the hole that is there, or may be made. Throws ACTION_NOT_OFFERED. */
async function codeFor(
  { privateStore }: PrivateContext,
  run: Run,
  partition: Partition,
  faults: readonly ObjectFault[],
): Promise<ObjectCode> {
  const path = partitionPath(partition);
  const bytes = await readBytesIfPresent(privateStore, PRIVATE_KEYS.privatized(run, partition));
  const before = bytes && codeOfHole(bytes, run, partition);
  if (before) return before;
  if (bytes || (await privateStore.head(PRIVATE_KEYS.draw(run, partition)))) throw mayBeDrawn(partition);
  const fault = faults.find(({ partitions }) => partitions.some((one) => partitionPath(one) === path));
  const code = OBJECT_CODES.find((one) => one === fault?.code);
  if (code) return code;
  throw new OpalineError(
    'ACTION_NOT_OFFERED',
    `No object holds back ${path}, so it cannot be abandoned; retry it instead.`,
  );
}

const mayBeDrawn = (partition: Partition): OpalineError =>
  new OpalineError(
    'ACTION_NOT_OFFERED',
    `${partitionPath(partition)} may have been drawn, so it cannot be abandoned; retry it instead.`,
  );
