import { wrongUse } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import { requireSignature } from '../../services/orders/series-signature.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { storeSeries } from '../series/apply-series.ts';
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
  const seriesFile = await loadSeriesFile(file);
  const { series } = seriesFile.series;
  if (series !== release.series)
    throw wrongUse(`${file} is the file of ${series}, and not that of ${releasePath(release)}.`);
  await client.status(release); // what is no release leaves nothing behind
  await requireSignature(client.releaseStore, seriesFile, client.signingKey);
  await storeSeries(client, seriesFile);
  return client.ask(release, 'reaudit', { declaration: seriesFile.digest, subject });
}
