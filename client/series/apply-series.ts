import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { putSignature } from '../../services/orders/series-signature.ts';
import type { LoadedSeries } from './series-file.ts';

/** Times that two people who apply the same series at once may get in each other's way. */
const ATTEMPTS = 10;

/** Where series files are applied, and the key of the policy that signs them by itself; null: people bring signatures. */
export type SeriesTarget = { releaseStore: ObjectStore; signingKey: string | null };

/**
 * Stores a series file, its dictionaries and its signature write-once, and makes it the newest applied one. Applying the
 * same file again changes nothing. Throws SIGNATURE_INVALID when the signature beside it is of another file.
 */
export async function applySeries(
  { releaseStore: store, signingKey }: SeriesTarget,
  loaded: LoadedSeries,
): Promise<void> {
  const { series, seriesBytes, digest, dictionaries } = loaded;
  for (const dictionary of dictionaries)
    await store.putIfAbsent(RELEASE_KEYS.dictionary(dictionary.digest), dictionary.bytes);
  await store.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  await putSignature(store, loaded, signingKey);
  const key = RELEASE_KEYS.appliedSeries(series.series);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = await store.readMutable(key);
    if (current?.value.digest === digest) return;
    if (await store.compareAndSwap(key, current, { digest })) return;
  }
  throw new OpalineError('STORE_UNAVAILABLE', `Others keep applying ${series.series} at the same time; try again.`);
}
