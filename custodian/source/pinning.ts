import { nullOn } from '../../contracts/errors.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { IngestInput, ObjectCode, ObjectFault, Run } from '../../contracts/stages.ts';
import { matchObject } from '../../core/source-pattern/pattern.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { admit } from '../custody/admission.ts';
import type { PrivateContext } from '../private-context.ts';
import { readDeliveries } from './clearances.ts';
import {
  byKey,
  byObject,
  INVENTORY_FORMAT,
  type Inventory,
  type Pin,
  partitionsOf,
  readInventory,
  type SourceWindow,
  sourceWindow,
} from './inventory.ts';
import { faultOfDelivery, listSource, type SourceListing } from './listing.ts';
import { type Copies, checkFile, fetchObject, objectCode } from './scratch-copy.ts';

/** An opened source of a window, and the rules of its population. */
export type Source = Copies & { series: Series; window: SourceWindow; rules: PopulationPolicy };

/** Objects that are read at a time: enough to hide the latency of a store, few enough for two cores. */
const PARALLEL = 4;

/** The partitions whose rows an object of this name may hold. */
export const targetsOf = ({ window }: Source, key: string): Partition[] =>
  partitionsOf(window, [matchObject(window.pattern, key) ?? {}]);

/** The source of a release that the policy allows. Throws as admitted does, and CONFIGURATION_INVALID. */
export async function openSource(context: PrivateContext, input: IngestInput): Promise<Source> {
  const { run: release, kind, series, rules } = await admit(context, input);
  const window = sourceWindow(kind, series, input.window);
  const { scratch } = context;
  return { scratch, release, store: context.sourceStore(series.source.store), series, window, rules };
}

/** What the source lists, of which a clearance names what counts where the policy asks for one. Throws ORDER_MISSING. */
export const listCleared = async (
  context: PrivateContext,
  { release, store, window, rules }: Source,
): Promise<SourceListing> => listSource(store, window, rules.clearance ? await readDeliveries(context, release) : null);

/** Copies objects of a listing into scratch and pins them, several at a time; those that cannot be read are faults. */
export async function pinAll(source: Source, listing: SourceListing, objects = listing.objects) {
  const outcomes = await mapAtOnce(objects, PARALLEL, ({ key }) => pinOne(source, listing, key));
  return { pins: outcomes.filter((one) => 'key' in one), faults: outcomes.filter((one) => 'code' in one) };
}

async function pinOne(source: Source, listing: SourceListing, key: string): Promise<Pin | ObjectFault> {
  const fault = (code: ObjectCode): ObjectFault => ({ object: key, code, partitions: targetsOf(source, key) });
  try {
    const check = (path: string): Promise<void> => checkFile(path, source.series.source);
    const pin = await fetchObject(source, key, check);
    const code = faultOfDelivery(listing, pin);
    const rows = listing.noted.get(key)?.rows;
    return code ? fault(code) : { ...pin, ...(rows !== undefined && { rows }) };
  } catch (error) {
    return fault(objectCode(error));
  }
}

/** The inventory of the round; null when it was not ingested yet. */
export const findInventory = (context: PrivateContext, run: Run, round: number): Promise<Inventory | null> =>
  readInventory(context, run, round).catch(nullOn('OBJECT_MISSING'));

/** What a look at a source has found. */
type Found = Pick<Inventory, 'objects' | 'faults' | 'leftOut'>;

/** Puts the inventory of the round if absent. */
export async function storeInventory(context: PrivateContext, input: IngestInput, look: Found): Promise<void> {
  const inventory: Inventory = {
    format: INVENTORY_FORMAT,
    round: input.round,
    objects: look.objects.toSorted(byKey),
    faults: look.faults.toSorted(byObject),
    leftOut: look.leftOut,
  };
  await context.privateStore.putIfAbsent(PRIVATE_KEYS.inventory(input, input.round), jsonBytes(inventory));
}
