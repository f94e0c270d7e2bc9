import type { ChangedObject } from '../../contracts/notices.ts';
import type { ObjectFacts, ObjectStore } from '../../contracts/object-store.ts';
import type { Run, SourceChanges } from '../../contracts/stages.ts';
import { matchObject } from '../../core/source-pattern/pattern.ts';
import { admitCharged } from '../../custodian/custody/custody-charge.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import {
  type Inventory,
  newestInventory,
  type Pin,
  partitionsOf,
  sourceWindow,
} from '../../custodian/source/inventory.ts';
import { listSource } from '../../custodian/source/listing.ts';
import { sha256OfObject } from '../../services/stores/json-objects.ts';

/** Objects that go into histories at most; the total says how many more there are. */
const OBJECTS_MAX = 20;

/**
 * Compares the source with the newest inventory of a release: objects that were replaced by other bytes, are gone, or
 * have come since, and what was missing at ingest and is missing still. Only names leave, and the partitions that the
 * names may feed; tags, sizes and digests stay (C11).
 * People decide what to do about it (C13). Throws RELEASE_UNKNOWN when there is no inventory.
 *
 * Safe to run twice: it writes nothing.
 *
 * @contract C6
 * @contract C11
 * @contract safe-to-retry
 */
export async function changedObjects(context: PrivateContext, run: Run): Promise<SourceChanges> {
  const { kind, series } = await admitCharged(context, run);
  const source = sourceWindow(kind, series, run.window);
  const store = context.sourceStore(series.source.store);
  const inventory = await newestInventory(context, run);
  const { objects, faults } = await listSource(store, source);
  const atFault = faults.filter(({ code }) => code !== 'OBJECT_MISSING');
  const faultKeys = new Set(atFault.map(({ object }) => object));
  const fresh = [
    ...objects.map(({ key }) => key),
    ...atFault.flatMap((one) => (one.partitions.length > 0 ? one.object : [])),
  ];
  const changes = [
    ...(await pinsThatChanged(store, inventory, objects)).filter(({ object }) => !faultKeys.has(object)),
    ...findNew(inventory, fresh),
    ...stillMissing(inventory, new Set([...fresh, ...faultKeys])),
  ];
  const notices = changes
    .sort((a, b) => (a.object < b.object ? -1 : 1))
    .slice(0, OBJECTS_MAX)
    .map(({ object, change }): ChangedObject => {
      const name = matchObject(series.source.pattern, object) ?? {};
      return { object, change, partitions: partitionsOf(source, [name]) };
    });
  return { changed: notices, total: changes.length };
}

type Change = Pick<ChangedObject, 'object' | 'change'>;

async function pinsThatChanged(
  store: ObjectStore,
  { objects }: Inventory,
  entries: readonly ObjectFacts[],
): Promise<Change[]> {
  const facts = new Map(entries.map((one) => [one.key, one]));
  const changes: Change[] = [];
  for (const pin of objects) {
    const now = facts.get(pin.key);
    if (!now) changes.push({ object: pin.key, change: 'gone' });
    else if (!(await holdsSameBytes(store, pin, now))) changes.push({ object: pin.key, change: 'replaced' });
  }
  return changes;
}

/** The same bytes delivered again are no change; they are read only when the tag leaves it open. */
async function holdsSameBytes(store: ObjectStore, pin: Pin, now: ObjectFacts): Promise<boolean> {
  if (now.size !== pin.size) return false;
  return now.tag === pin.tag || (await sha256OfObject(store, pin.key)) === pin.sha256;
}

/** Objects that were not there at ingest; one that was there and could not be read, or was left out, is not one. */
function findNew({ objects, faults, leftOut }: Inventory, keys: readonly string[]): Change[] {
  const unreadable = faults.filter(({ code }) => code !== 'OBJECT_MISSING').map(({ object }) => object);
  const before = new Set([...objects.map(({ key }) => key), ...unreadable, ...leftOut]);
  return keys.filter((key) => !before.has(key)).map((object) => ({ object, change: 'new' }));
}

/** Objects that were missing at ingest and have not come, and those at fault that are gone. */
function stillMissing({ faults }: Inventory, there: ReadonlySet<string>): Change[] {
  const absent = faults.filter(({ object }) => !there.has(object));
  return absent.map(({ object, code }) => ({ object, change: code === 'OBJECT_MISSING' ? 'missing' : 'gone' }));
}
