import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { ObjectFacts, ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { IngestInput, ObjectFault } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { matchObject } from '../../core/source-pattern/pattern.ts';
import { jsonBytes, putOnce } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PrivateContext } from './context.ts';
import {
  byKey,
  byObject,
  type Inventory,
  inventorySchema,
  meet,
  type Pin,
  partitionsOf,
  readInventory,
} from './inventory.ts';
import { objectCode } from './object-code.ts';
import { checkFile, fetchObject } from './scratch-copy.ts';
import { listSource } from './source-listing.ts';

type Source = { store: ObjectStore; series: Series; days: string[] };
type Pinned = { pin: Pin | null; fault: ObjectFault | null };

/** So many objects are read at a time: enough to hide the latency of a store, few enough for two cores. */
const PARALLEL = 4;

/**
 * Pins the source objects of the window and the overlap day: key, tag, size and SHA-256 of the stored bytes, which are
 * streamed into scratch. What is missing, unreadable or under a wrong name is a fault of exactly the partitions that it
 * may feed. Safe to run twice: the inventory is put if absent, and a second run answers from the stored one.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function ingest(context: PrivateContext, input: IngestInput): Promise<{ faults: ObjectFault[] }> {
  const stored = await storedInventory(context, input);
  if (stored) return { faults: stored.faults };
  const source = await openSource(context, input);
  const listing = await listSource(source.store, source.series, source.days);
  const pinned = await pinAll(context, source, listing.objects);
  return storeInventory(context, input, pinned.pins, [...listing.faults, ...pinned.faults]);
}

/**
 * Pins again, for the next round, the objects that may feed the named partitions: what was at fault, what is new, and
 * what has changed. All other pins and faults stay as they were. An object that must be pinned anew and may feed a
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
  const stored = await storedInventory(context, input);
  if (stored) return { faults: stored.faults };
  // An ingest that failed altogether left no inventory: then everything is pinned for the first time.
  const nothing: Inventory = { format: 'opaline-inventory/1', round: input.round - 1, objects: [], faults: [] };
  const before = (await storedInventory(context, { ...input, round: input.round - 1 })) ?? nothing;
  const source = await openSource(context, input);
  const mayFeed = (key: string): Partition[] => fedBy(source, key);
  const concerns = (key: string): boolean => meet(mayFeed(key), input.partitions);

  const listing = await listSource(source.store, source.series, source.days);
  const listed = listing.objects.filter(({ key }) => concerns(key));
  const looked = await pinAll(context, source, changed(listed, before));
  const unchanged = new Set(listed.map(({ key }) => key).filter((key) => !looked.keys.has(key)));
  const kept = before.objects.filter(({ key }) => !concerns(key) || unchanged.has(key));
  const pins = [...kept, ...looked.pins];
  const faults = [
    ...before.faults.filter((fault) => !meet(fault.partitions, input.partitions)),
    ...listing.faults.filter((fault) => meet(fault.partitions, input.partitions)),
    ...looked.faults,
  ];
  await refuseDrawn(context, input, changedKeys(before, pins).flatMap(mayFeed));
  return storeInventory(context, input, pins, faults);
}

/** Objects whose tag or size is not that of their pin, or which have no pin. */
const changed = (listed: ObjectFacts[], before: Inventory): ObjectFacts[] =>
  listed.filter(({ key, tag, size }) => !before.objects.some((p) => p.key === key && p.tag === tag && p.size === size));

/** Keys whose content is not what it was a round before: other bytes, new, or gone. */
function changedKeys(before: Inventory, pins: readonly Pin[]): string[] {
  const digests = (list: readonly Pin[]) => new Map(list.map(({ key, sha256 }) => [key, sha256]));
  const [old, now] = [digests(before.objects), digests(pins)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
}

async function refuseDrawn(context: PrivateContext, input: IngestInput, touched: readonly Partition[]): Promise<void> {
  for (const partition of touched) {
    if (!(await context.privateStore.head(PRIVATE_KEYS.draw(input, partition)))) continue;
    throw new OpalineError(
      'NEEDS_CORRECTION',
      `An object that may feed ${partition.mode} on ${partition.day} has changed, and that partition has been drawn; release a new version.`,
    );
  }
}

const fedBy = ({ series, days }: Source, key: string): Partition[] =>
  partitionsOf(series, days, [matchObject(series.source.pattern, key) ?? {}]);

async function openSource(context: PrivateContext, input: IngestInput): Promise<Source> {
  const series = await readSeries(context.releaseStore, input);
  return { store: context.sourceStore(series.source.store), series, days: windowDays(series, input.window) };
}

async function pinAll(
  context: PrivateContext,
  source: Source,
  objects: readonly ObjectFacts[],
): Promise<{ pins: Pin[]; faults: ObjectFault[]; keys: Set<string> }> {
  const waiting = [...objects];
  const done: Pinned[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        done.push(await pinOne(context, source, next.key));
      } catch (error) {
        waiting.length = 0; // the others begin nothing new
        throw error;
      }
    }
  };
  // All have ended before the activity fails: none goes on filling scratch beside the next attempt.
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return {
    pins: done.flatMap(({ pin }) => pin ?? []),
    faults: done.flatMap(({ fault }) => fault ?? []),
    keys: new Set(objects.map(({ key }) => key)),
  };
}

async function pinOne(context: PrivateContext, source: Source, key: string): Promise<Pinned> {
  try {
    const check = (path: string): Promise<void> => checkFile(path, source.series.source);
    return { pin: await fetchObject(context, source.store, key, check), fault: null };
  } catch (error) {
    return { pin: null, fault: { object: key, code: objectCode(error), partitions: fedBy(source, key) } };
  }
}

async function storedInventory(context: PrivateContext, input: IngestInput): Promise<Inventory | null> {
  const facts = await context.privateStore.head(PRIVATE_KEYS.inventory(input, input.round));
  return facts ? readInventory(context, input, input.round) : null;
}

async function storeInventory(
  context: PrivateContext,
  input: IngestInput,
  pins: readonly Pin[],
  faults: readonly ObjectFault[],
): Promise<{ faults: ObjectFault[] }> {
  const inventory: Inventory = {
    format: 'opaline-inventory/1',
    round: input.round,
    objects: [...pins].sort(byKey),
    faults: [...faults].sort(byObject),
  };
  const { bytes } = await putOnce(
    context.privateStore,
    PRIVATE_KEYS.inventory(input, input.round),
    jsonBytes(inventory),
  );
  return { faults: inventorySchema.parse(JSON.parse(bytes.toString('utf8'))).faults };
}
