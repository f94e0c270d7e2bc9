import { OpalineError } from '../../contracts/errors.ts';
import { trustVersionSchema } from '../../contracts/formats/trust.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { readDocuments } from '../signing/signed-objects.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { nextVersion, type TrustChain } from './trust-chain.ts';

/** Chains whose versions this process has put into a store. */
const storesOf = oncePer((_: TrustChain) => new WeakSet<ObjectReader>());

/**
 * What a worker does before it signs: it puts the versions of its trust file into the release store, so that every other
 * process can see that there are newer ones, and looks whether it is itself behind. Throws TRUST_BEHIND. It costs one
 * request when nothing is new.
 *
 * @contract C16 A version from a store makes a process stop, and nobody is believed by it.
 */
export async function settleTrust(store: ObjectStore, chain: TrustChain): Promise<void> {
  const stores = storesOf(chain);
  if (!stores.has(store))
    for (const { number, envelope } of chain.slice(1)) {
      const bytes = jsonBytes(envelope);
      await store.putIfAbsent(RELEASE_KEYS.trustVersion(number, sha256(bytes)), bytes);
    }
  stores.add(store);
  await requireNewestTrust(store, chain);
}

/**
 * Refuses to go on under a trust file that is no longer the newest: the release store holds a version that follows it and
 * that its own roots have signed. What anybody else puts there is passed over. Throws TRUST_BEHIND.
 */
export async function requireNewestTrust(store: ObjectReader, chain: TrustChain): Promise<void> {
  const follows = ({ envelope }: { envelope: Parameters<typeof nextVersion>[1] }): boolean => {
    try {
      return nextVersion(chain, envelope).number > chain.length;
    } catch {
      return false;
    }
  };
  const prefix = RELEASE_KEYS.trustVersions(chain.length + 1);
  const [newer] = await readDocuments(store, prefix, trustVersionSchema, follows);
  if (newer)
    throw new OpalineError(
      'TRUST_BEHIND',
      `The trust file ends at version ${chain.length}, and its roots have signed the next one; take the newest file.`,
    );
}
