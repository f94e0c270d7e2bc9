import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { CLEARANCE_FORMAT, type Clearance, clearanceSchema } from '../../contracts/formats/order.ts';
import { kindOf } from '../../contracts/kind.ts';
import { PRIVATE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { parseDocument } from '../../services/signing/signed-objects.ts';
import { keysBelow, readBytes, readBytesIfPresent, sha256OfObject } from '../../services/stores/json-objects.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import { isSignedByPolicy } from '../policy/policy-file.ts';
import type { PrivateContext } from '../private-context.ts';
import { sourceWindow } from './inventory.ts';
import { listSource } from './listing.ts';

/**
 * The deliveries of a release that count, digests by key, as the newest clearance says that a key of the policy has
 * signed. It is in the private store and nowhere else, as it names digests of raw data. Throws ORDER_MISSING: that is
 * so whatever the source holds.
 *
 * @contract C11
 * @contract C11a
 */
export async function readDeliveries(
  { privateStore, policy }: PrivateContext,
  release: ReleaseReference,
): Promise<Map<string, string>> {
  let newest: Clearance | null = null;
  for (const key of await keysBelow(privateStore, PRIVATE_KEYS.clearances(release))) {
    const entry = parseDocument(await readBytes(privateStore, key), clearanceSchema);
    const isMeant = entry && releasePath(entry.document) === releasePath(release);
    if (isMeant && isSignedByPolicy(policy.policy, 'orders', entry.envelope)) newest = entry.document;
  }
  const name = releasePath(release);
  if (newest) return new Map(newest.deliveries.map(({ object, sha256 }) => [object, sha256]));
  throw new OpalineError(
    'ORDER_MISSING',
    `The deliveries of ${name} are not cleared; on the custodian side \`${clearanceCommand(release)}\` names them, \`opaline order put clear.json\` hands that over; then retry.`,
  );
}

/** What signs a clearance of all deliveries of a release. */
export const clearanceCommand = (release: ReleaseReference): string =>
  `opaline order clear ${releasePath(release)} --key KEY.pem --out clear.json`;

/** The clearance of what the source holds for a release now, except for the objects that do not count. Throws USAGE. */
export async function draftClearance(
  context: PrivateContext,
  { series: name, window, version }: ReleaseReference,
  except: readonly string[],
): Promise<Clearance> {
  const { series } = await readApplied(context.releaseStore, name);
  const store = context.sourceStore(series.source.store);
  const { objects, faults } = await listSource(store, sourceWindow(kindOf(context.kinds, series), series, window));
  const twice = faults.filter(({ code }) => code === 'OBJECT_TWICE').map(({ object }) => object);
  const keys = [...objects.map(({ key }) => key), ...twice];
  const stranger = except.find((one) => !keys.includes(one));
  if (stranger !== undefined) throw wrongUse(`--except names ${stranger}, which this window does not read.`);
  const rest = keys.filter((key) => !except.includes(key)).sort();
  if (rest.length === 0) throw wrongUse('No object is left; a clearance names those that count.');
  const deliveries = await mapAtOnce(rest, 1, async (object) => {
    return { object, sha256: await sha256OfObject(store, object) };
  });
  return { format: CLEARANCE_FORMAT, series: name, window, version, deliveries };
}

/** A clearance among the bytes that people hand over; null when they are not one. */
export const readClearance = (bytes: Buffer): Clearance | null =>
  parseDocument(bytes, clearanceSchema)?.document ?? null;

/** Puts a signed clearance after those of its release that are there; the same one again changes nothing. */
export async function putClearance(privateStore: ObjectStore, clearance: Clearance, bytes: Buffer): Promise<void> {
  for (let number = 1; ; number += 1) {
    const key = PRIVATE_KEYS.clearance(clearance, number);
    if ((await privateStore.putIfAbsent(key, bytes)) === 'created') return;
    if ((await readBytesIfPresent(privateStore, key))?.equals(bytes)) return;
  }
}
