import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import { putSignature, requireSignature } from '../../services/orders/series-signature.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { loadSeriesFile } from '../series/series-file.ts';

/**
 * Has a release at its gate audited again under the declaration of a corrected series file (C15). The file is stored and
 * not applied: releases to come go by the one that is applied. Throws SERIES_INVALID, SERIES_UNSIGNED, and USAGE for
 * another series.
 */
export async function reauditRelease(
  client: OpalineClient,
  release: ReleaseReference,
  file: string,
  subject: string,
): Promise<Answer> {
  const loaded = await loadSeriesFile(file);
  const { series, seriesBytes, digest, dictionaries } = loaded;
  if (series.series !== release.series)
    throw new OpalineError(
      'USAGE',
      `${file} is the file of ${series.series}, and not that of ${releasePath(release)}.`,
    );
  await client.status(release); // what is no release leaves nothing behind
  await requireSignature(client.releaseStore, loaded, client.signingKey);
  for (const list of dictionaries)
    await client.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(list.digest), list.bytes);
  await client.releaseStore.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  await putSignature(client.releaseStore, loaded, client.signingKey);
  return client.ask(release, 'reaudit', { declaration: digest, subject });
}
