import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { ObjectFacts } from '../../contracts/object-store.ts';
import type { IngestInput, ObjectFault } from '../../contracts/stages.ts';
import { deliveryWarnings } from '../../custodian/preview/input-warnings.ts';
import { keepWarnings } from '../../custodian/preview/kept-warnings.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import {
  diffKeys,
  INVENTORY_FORMAT,
  type Inventory,
  meet,
  readInventory,
  requireNextRound,
} from '../../custodian/source/inventory.ts';
import { faultOfDelivery, type SourceListing } from '../../custodian/source/listing.ts';
import {
  findInventory,
  listCleared,
  openSource,
  pinAll,
  storeInventory,
  targetsOf,
} from '../../custodian/source/pinning.ts';
import { readFaults } from '../../custodian/source/recorded-faults.ts';

/**
 * Pins again, for the next round, the objects that may feed the named partitions: what was at fault, what is new, and
 * what has changed. All other pins and faults stay as they were. An object that must be pinned again and may feed a
 * partition that has been drawn is refused with NEEDS_CORRECTION: that partition was drawn from other bytes (C11).
 * Safe to run twice: the inventory of the round is put if absent, and a second run answers from the stored one.
 *
 * @contract C11
 * @contract safe-to-retry
 */
export async function reingest(
  context: PrivateContext,
  input: IngestInput & { partitions: Partition[] },
): Promise<{ faults: ObjectFault[] }> {
  const { round } = input;
  await pinAgain(context, input);
  const inventory = await readInventory(context, input, round);
  await keepWarnings(context.privateStore, input, { round, found: 'ingest' }, deliveryWarnings(inventory));
  return { faults: inventory.faults };
}

async function pinAgain(context: PrivateContext, input: IngestInput & { partitions: Partition[] }): Promise<void> {
  const source = await openSource(context, input);
  await requireNextRound(context, input, input.round);
  if (await findInventory(context, input, input.round)) return;
  // An ingest that failed altogether left no inventory: then everything is pinned for the first time.
  const round = input.round - 1;
  const nothing: Inventory = { format: INVENTORY_FORMAT, round, objects: [], faults: [], leftOut: [] };
  const before = (await findInventory(context, input, round)) ?? nothing;
  // What counting found of partitions that are not looked at again holds them back in this round too.
  const oldFaults = [...before.faults, ...(await readFaults(context, input, round))];
  const mayFeed = (key: string): Partition[] => targetsOf(source, key);
  const concerns = (key: string): boolean => meet(mayFeed(key), input.partitions);

  const listing = await listCleared(context, source);
  const entries = listing.objects.filter(({ key }) => concerns(key));
  const others = findChanges(listing, entries, before);
  const isOther = new Set(others.map(({ key }) => key));
  const update = await pinAll(source, listing, others);
  const sameKeys = new Set(entries.map(({ key }) => key).filter((key) => !isOther.has(key)));
  const rest = before.objects.filter(({ key }) => !concerns(key) || sameKeys.has(key));
  const pins = [...rest, ...update.pins];
  const faults = [
    ...oldFaults.filter((fault) => !meet(fault.partitions, input.partitions)),
    ...listing.faults.filter((fault) => meet(fault.partitions, input.partitions)),
    ...update.faults,
  ];
  await refuseDrawn(context, input, diffKeys(before.objects, pins).flatMap(mayFeed));
  await storeInventory(context, input, { objects: pins, faults, leftOut: listing.leftOut });
}

/** Objects whose tag or size is not that of their pin, whose pin is not what they have to be, or which have no pin. */
function findChanges(listing: SourceListing, entries: readonly ObjectFacts[], { objects }: Inventory): ObjectFacts[] {
  const sound = new Map(objects.filter((pin) => faultOfDelivery(listing, pin) === null).map((pin) => [pin.key, pin]));
  return entries.filter(({ key, tag, size }) => sound.get(key)?.tag !== tag || sound.get(key)?.size !== size);
}

async function refuseDrawn(context: PrivateContext, input: IngestInput, targets: readonly Partition[]): Promise<void> {
  for (const partition of targets) {
    if (!(await context.privateStore.head(PRIVATE_KEYS.draw(input, partition)))) continue;
    throw new OpalineError(
      'NEEDS_CORRECTION',
      `An object that may feed ${partition.part} on ${partition.day} has changed, and that partition has been drawn; release a new version.`,
    );
  }
}
