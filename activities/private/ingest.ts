import type { ReleaseReference } from '../../contracts/names.ts';
import type { IngestInput, ObjectFault } from '../../contracts/stages.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import { settledLedger } from '../../custodian/custody/population-ledger.ts';
import { deliveryWarnings } from '../../custodian/preview/input-warnings.ts';
import { keepWarnings } from '../../custodian/preview/kept-warnings.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { type Inventory, newestInventory, readInventory, requireNextRound } from '../../custodian/source/inventory.ts';
import type { SourceListing } from '../../custodian/source/listing.ts';
import { listCleared, openSource, pinAll, storedInventory, storeInventory } from '../../custodian/source/pinning.ts';

/**
 * Pins the source objects of the window and the overlap day: key, tag, size and SHA-256 of the stored bytes, which are
 * streamed into scratch. What is missing, unreadable, there twice or under a wrong name is a fault of exactly the
 * partitions that it may feed. Where the policy asks for a clearance nothing is pinned before it, whatever there is.
 *
 * Safe to run twice: the inventory is put if absent, and a second run answers from the stored one. A release that was
 * never charged may run again: if the source is another one meanwhile, it is pinned in the next round, and `round` says
 * so.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function ingest(
  context: PrivateContext,
  input: IngestInput,
): Promise<{ faults: ObjectFault[]; round?: number }> {
  const round = await pinned(context, input);
  const inventory = await readInventory(context, input, round);
  await keepWarnings(context.privateStore, input, { round, found: 'ingest' }, deliveryWarnings(inventory));
  return { faults: inventory.faults, ...(round !== input.round && { round }) };
}

/** The round in which the source is pinned. */
async function pinned(context: PrivateContext, input: IngestInput): Promise<number> {
  const source = await openSource(context, input);
  await requireNextRound(context, input, input.round);
  const stored = await storedInventory(context, input);
  if (stored && (await isCharged(context, source.series.population, input))) return input.round;
  const before = stored && (await newestInventory(context, input));
  const listing = await listCleared(context, source);
  if (before && isOf(before, listing)) return before.round;
  const round = before ? before.round + 1 : input.round;
  await requireNextRound(context, input, round);
  const { pins, faults } = await pinAll(context, source, listing);
  await storeInventory(context, { ...input, round }, pins, [...listing.faults, ...faults], listing.leftOut);
  return round;
}

async function isCharged(context: PrivateContext, population: string, release: ReleaseReference): Promise<boolean> {
  const { entries } = await settledLedger(context, population);
  return reserveOfRelease(entries, release) !== null;
}

/** Does an inventory pin just what is listed? What could not be read is looked at again. */
function isOf(inventory: Inventory, listing: SourceListing): boolean {
  const [before, now] = [inventory, listing].map(({ objects, faults, leftOut }) => [
    objects.map(({ key, tag, size }) => JSON.stringify([key, tag, size])).sort(),
    faults.map(({ object, code }) => `${code} ${object}`).sort(),
    [...leftOut].sort(),
  ]);
  return JSON.stringify(before) === JSON.stringify(now);
}
