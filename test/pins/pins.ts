import { sha256 } from '../../services/stores/json-objects.ts';
import { PINNED } from '../support/published-kinds.ts';

/** By store and key of an object: its length in bytes, its SHA-256, and the one without what belongs to others. */
export type Pins = Record<string, string>;

export const PINNED_RELEASES = Object.keys(PINNED);

/**
 * What the stores hold after a version, its correction and the retraction of that, by store and key. Randomness, ids,
 * keys, times and the digest of the build are given, so that nothing of it depends on the host, zone, commit or folder.
 * Parquet files name the version of DuckDB, which is that of the lock file. Left out are the tags of source objects,
 * which name inodes, and the digests of inventories, which hold the tags.
 */
export async function pinnedObjects(release: string): Promise<Map<string, Buffer>> {
  const made = await PINNED[release]!();
  await made.publish(1);
  await made.publish(2);
  await made.takeBack(2);
  return new Map([...(await made.objects())].map(([key, text]) => [key, Buffer.from(text, 'latin1')]));
}

/** Digests, signatures and names made of digests: what of an object changes with others. */
const OF_OTHERS = /[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9+/=]{80,}/g;

export const pinsOf = (objects: ReadonlyMap<string, Buffer>): Pins =>
  Object.fromEntries([...objects].map(([key, bytes]) => [key, pinOf(bytes)]));

const pinOf = (bytes: Buffer): string =>
  `${bytes.length} ${sha256(bytes)} ${sha256(bytes.toString('latin1').replace(OF_OTHERS, '')).slice(0, 16)}`;

/** A line for each object that differs; last those that only name others, by digest or under a signature. */
export function differingPins(before: Pins, after: Pins): string[] {
  const causes: string[] = [];
  const results: string[] = [];
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [bytes, digest, itself] = before[key]?.split(' ') ?? [];
    const [bytesNow, digestNow, itselfNow] = after[key]?.split(' ') ?? [];
    const named = key.search(OF_OTHERS) === -1 ? causes : results;
    if (!digestNow) named.push(`- ${key}: is no longer made`);
    else if (!digest) named.push(`+ ${key}: is new, ${bytesNow} bytes`);
    else if (itself !== itselfNow) causes.push(`! ${key}: other bytes, ${bytes} before and ${bytesNow} now`);
    else if (digest !== digestNow) results.push(`  ${key}: only digests or signatures`);
  }
  return [...causes, ...results];
}
