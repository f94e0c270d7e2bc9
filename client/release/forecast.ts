import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, type ReleaseReference } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { LoadedList } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { type AuditedRelease, loadFile } from '../../services/publication/audited-release.ts';
import { Publication } from '../../services/publication/publication.ts';
import { readListedFile, readSeriesRelease } from '../../services/series-pages/series-release.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { readStoredLists } from '../series/stored-lists.ts';
import { listPublishedBefore } from './changes-since.ts';
import { publicationsAt } from './publications.ts';

/** `publications`: where they are read; null: the deployment names no place. */
export type ForecastReader = LedgerReader & { publications: string | null };

/** A release with its series file and public lists; `shown`: as it was audited, where it was. */
type Forecast = { release: ReleaseReference; series: Series; lists: readonly LoadedList[]; shown?: Publication };

/**
 * What a release may show, in sentences, or beside what it shows: by the newest earlier release of the series that a
 * publisher of the trust file published and nobody retracted, or by the figure of the file where none serves. Nothing of
 * it comes from a row.
 *
 * @contract C17
 */
export async function forecast(reader: ForecastReader, { release, series, lists, shown }: Forecast): Promise<string[]> {
  const { expected } = kindOf(CLIENT_KINDS, series);
  if (!expected) return [];
  const earlier = await earlierPublication(reader, series, release);
  // One that says no totals, or is of another form, serves no forecast.
  const sentences = earlier && (await expected(series, lists, earlier, shown).catch(() => null));
  return sentences ?? expected(series, lists, null, shown);
}

/** The forecast of an audited release beside what it shows; nothing where it does not say so. */
export async function forecastAndShown(
  reader: ForecastReader,
  { manifest, manifestDigest }: AuditedRelease,
): Promise<string[]> {
  const { releaseStore } = reader;
  const series = await readSeries(releaseStore, manifest);
  const lists = await readStoredLists(releaseStore, CLIENT_KINDS, series);
  const publication = await describe(manifest, (name) => loadFile(releaseStore, { manifest, manifestDigest }, name));
  return forecast(reader, { release: manifest, series, lists, shown: publication });
}

async function earlierPublication(
  { publications, ...reader }: ForecastReader,
  { population }: Series,
  release: ReleaseReference,
): Promise<Publication | null> {
  if (publications === null) return null;
  const store = publicationsAt(publications);
  const trust = await reader.trust();
  for (const one of listPublishedBefore(await verifyLedger(reader, population), release)) {
    const entry = await readSeriesRelease(store, one, trust).catch(() => null);
    if (entry && !entry.retraction) return describe(entry.manifest, (name) => readListedFile(store, entry, name));
  }
  return null;
}

/** Files that say how a release was made, and what its tables add up to. */
const DESCRIBING = new RegExp(
  `^(${FILES.privacy}|${FILES.certificate}|${FILES.summary}|${FILES.table('totals')}|places-.*)$`,
);

/** A release without its tables, as far as its files are there. */
async function describe(manifest: Manifest, read: (name: string) => Promise<Buffer | null>): Promise<Publication> {
  const files = new Map<string, Buffer>([[FILES.manifest, Buffer.from(JSON.stringify(manifest))]]);
  for (const { name } of manifest.files) {
    const bytes = DESCRIBING.test(name) ? await read(name) : null;
    if (bytes) files.set(name, bytes);
  }
  return new Publication({ files, others: [] });
}
