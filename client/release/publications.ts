import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { readSeriesRelease } from '../../services/series-pages/series-release.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { webAddress } from '../verify/web-address.ts';
import { webReader } from '../verify/web-files.ts';

/** Where a publication is looked for, and whether one is there that a publisher of the trust file signed. */
export type PublicationSeen = { place: string; isThere: boolean; isRetracted?: true };

/**
 * Looks for a publication: anybody who answers in Temporal can say there that a release is public. Null when the
 * deployment names no place. Throws USAGE for an address that is not one, STORE_UNAVAILABLE.
 */
export async function findPublication(
  { publications, trust }: { publications: string | null; trust: () => Promise<TrustChain> },
  release: ReleaseReference,
): Promise<PublicationSeen | null> {
  if (publications === null) return null;
  const entry = await readSeriesRelease(publicationsAt(publications), release, await trust());
  return {
    place: `${publications.replace(/\/$/, '')}/${releasePath(release)}`,
    isThere: entry !== null,
    ...(entry?.retraction && { isRetracted: true }),
  };
}

/** Reads publications whose names are known. Throws USAGE for an address that is not one. */
export function publicationsAt(publications: string): ObjectReader {
  const address = webAddress(publications);
  return address ? webReader(address, Buffer.alloc(0)) : new FolderStore(publications);
}

export const reportAbsence = (release: ReleaseReference, { place }: PublicationSeen): string =>
  `${releasePath(release)} is published as Temporal says, and no publication of it that a publisher signed is at ${place}: somebody answered instead of a worker, or took it away.`;
