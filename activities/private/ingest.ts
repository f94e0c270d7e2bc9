import type { IngestInput, ObjectFault } from '../../contracts/stages.ts';
import { faultWarnings } from '../../custodian/preview/input-warnings.ts';
import { keepWarnings } from '../../custodian/preview/kept-warnings.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { requireNextRound } from '../../custodian/source/inventory.ts';
import { listSource } from '../../custodian/source/listing.ts';
import { openSource, pinAll, storedInventory, storeInventory } from '../../custodian/source/pinning.ts';

/**
 * Pins the source objects of the window and the overlap day: key, tag, size and SHA-256 of the stored bytes, which are
 * streamed into scratch. What is missing, unreadable or under a wrong name is a fault of exactly the partitions that it
 * may feed. Safe to run twice: the inventory is put if absent, and a second run answers from the stored one.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function ingest(context: PrivateContext, input: IngestInput): Promise<{ faults: ObjectFault[] }> {
  const { faults } = await pinned(context, input);
  await keepWarnings(context.privateStore, input, { round: input.round, found: 'ingest' }, faultWarnings(faults));
  return { faults };
}

async function pinned(context: PrivateContext, input: IngestInput): Promise<{ faults: ObjectFault[] }> {
  const source = await openSource(context, input);
  await requireNextRound(context, input, input.round);
  const stored = await storedInventory(context, input);
  if (stored) return { faults: stored.faults };
  const listing = await listSource(source.store, source.window);
  const { pins, faults } = await pinAll(context, source, listing.objects);
  return storeInventory(context, input, pins, [...listing.faults, ...faults]);
}
