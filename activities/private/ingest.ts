import { nullOn } from '../../contracts/errors.ts';
import {
  type Partition,
  PRIVATE_KEYS,
  parsePartitionPath,
  partitionPath,
  type ReleaseReference,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Ingested, IngestInput, Run } from '../../contracts/stages.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import { readDrawRecord } from '../../custodian/custody/draw-record.ts';
import { codeOfHole } from '../../custodian/custody/hole.ts';
import { settleLedger } from '../../custodian/custody/population-ledger.ts';
import { deliveryWarnings } from '../../custodian/preview/input-warnings.ts';
import { keepWarnings } from '../../custodian/preview/kept-warnings.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { type Inventory, newestInventory, readInventory, requireNextRound } from '../../custodian/source/inventory.ts';
import type { SourceListing } from '../../custodian/source/listing.ts';
import { listCleared, openSource, pinAll, storeInventory } from '../../custodian/source/pinning.ts';
import { namesBelow, readBytes } from '../../services/stores/json-objects.ts';

type Kept = Required<Pick<Ingested, 'earlier' | 'holes'>>;

/**
 * Pins the source objects of the window and the overlap day: key, tag, size and SHA-256 of the stored bytes, which are
 * streamed into scratch. What is missing, unreadable, there twice or under a wrong name is a fault of exactly the
 * partitions that it may feed. Where the policy asks for a clearance nothing is pinned before it, whatever there is.
 *
 * Safe to run twice: the inventory is put if absent, and a second run answers from the stored one. A release that was
 * charged goes on from its newest inventory and from its draw records and holes, whatever round is asked for. One that
 * was never charged may run again: if the source is another one meanwhile, it is pinned in the next round, and `round`
 * says so.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function ingest(context: PrivateContext, input: IngestInput): Promise<Ingested> {
  const { round, isKept } = await pinSource(context, input);
  const inventory = await readInventory(context, input, round);
  await keepWarnings(context.privateStore, input, { round, found: 'ingest' }, deliveryWarnings(inventory));
  const past = isKept ? await readOutcomes(context, input, round) : null;
  return {
    faults: inventory.faults,
    ...(round !== input.round && { round }),
    ...(past && past.earlier.length > 0 && { earlier: past.earlier }),
    ...(past && past.holes.length > 0 && { holes: past.holes }),
  };
}

/** The round in which the source is pinned; `isKept`: it was pinned before, and the release is charged. */
async function pinSource(context: PrivateContext, input: IngestInput): Promise<{ round: number; isKept: boolean }> {
  const source = await openSource(context, input);
  const before = await newestInventory(context, input).catch(nullOn('RELEASE_UNKNOWN'));
  if (before && (await isCharged(context, source.series.population, input)))
    return { round: before.round, isKept: true };
  await requireNextRound(context, input, input.round);
  const listing = await listCleared(context, source);
  if (before && isOf(before, listing)) return { round: before.round, isKept: false };
  const round = before ? before.round + 1 : input.round;
  await requireNextRound(context, input, round);
  const { pins, faults } = await pinAll(source, listing);
  const inventory = { objects: pins, faults: [...listing.faults, ...faults], leftOut: listing.leftOut };
  await storeInventory(context, { ...input, round }, inventory);
  return { round, isKept: false };
}

/** What is there already of a charged release: draws that are tied to an earlier round, and holes. */
async function readOutcomes({ privateStore }: PrivateContext, run: Run, newest: number): Promise<Kept> {
  const draws = await partitionsBelow(privateStore, PRIVATE_KEYS.draws(run));
  const outcomes = await partitionsBelow(privateStore, PRIVATE_KEYS.allPrivatized(run));
  const past: Kept = { earlier: [], holes: [] };
  // While there was one round, every draw is of it.
  for (const partition of newest === 0 ? [] : draws.values()) {
    const { round } = readDrawRecord(await readBytes(privateStore, PRIVATE_KEYS.draw(run, partition)));
    if (round !== newest) past.earlier.push({ partition, round });
  }
  for (const [path, partition] of outcomes) {
    if (draws.has(path)) continue;
    const code = codeOfHole(await readBytes(privateStore, PRIVATE_KEYS.privatized(run, partition)), run, partition);
    if (code) past.holes.push({ ...partition, code });
  }
  return past;
}

async function partitionsBelow(store: ObjectStore, prefix: string): Promise<Map<string, Partition>> {
  const partitions = (await namesBelow(store, prefix)).flatMap((path) => parsePartitionPath(path) ?? []);
  return new Map(partitions.map((one) => [partitionPath(one), one]));
}

async function isCharged(context: PrivateContext, population: string, release: ReleaseReference): Promise<boolean> {
  const { entries } = await settleLedger(context, population);
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
