import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { PolicyPlace } from '../../services/orders/orders.ts';
import { putSignature } from '../../services/orders/series-signature.ts';
import { changeMutable } from '../../services/stores/mutable-json.ts';
import type { LoadedSeries } from './series-file.ts';

/**
 * Stores a series file, its public lists and its signature write-once. Throws SIGNATURE_INVALID when the signature beside
 * it is of another file.
 */
export async function storeSeries({ releaseStore, signingKey }: PolicyPlace, seriesFile: LoadedSeries): Promise<void> {
  const { series, seriesBytes, digest, dictionaries } = seriesFile;
  for (const list of dictionaries) await releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(list.digest), list.bytes);
  await releaseStore.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  await putSignature(releaseStore, seriesFile, signingKey);
}

/** Stores a series file and makes it the newest applied one. Applying the same file again changes nothing. */
export async function applySeries(target: PolicyPlace, seriesFile: LoadedSeries): Promise<void> {
  const { series, digest } = seriesFile;
  await storeSeries(target, seriesFile);
  const key = RELEASE_KEYS.appliedSeries(series.series);
  await changeMutable(target.releaseStore, key, (before) => (before?.digest === digest ? null : { digest }));
}
