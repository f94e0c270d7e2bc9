import { auditReportSchema } from '../../../../contracts/audit-report.ts';
import { type Certificate, certificateShape } from '../../../../contracts/certificate.ts';
import {
  FILES,
  newestFirst,
  PUBLIC_KEYS,
  parseReleasePath,
  type ReleaseReference,
  releasePath,
} from '../../../../contracts/names.ts';
import type { ObjectReader } from '../../../../contracts/object-store.ts';
import { weekdayIndex } from '../../../../core/calendar/civil-day.ts';
import { windowDays } from '../../../../core/calendar/window.ts';
import type { History } from '../../../../counts/audit/subject.ts';
import type { NoisyMargins } from '../../../../counts/audit/warnings/noisy-totals.ts';
import { compareText } from '../../../../counts/derive/count-row.ts';
import { mapAtOnce } from '../../../../services/at-once.ts';
import { listPublications } from '../../../../services/publication/published-releases.ts';
import { fileOf, formOf } from '../../../../services/publication/staged-files.ts';
import { parseTable } from '../../../../services/publication/table-csv.ts';
import { readHead } from '../../../../services/series-pages/head-file.ts';
import { SERIES_FILES } from '../../../../services/series-pages/series-files.ts';
import {
  readListedFile,
  readSeriesRelease,
  type SeriesRelease,
} from '../../../../services/series-pages/series-release.ts';
import { keyIdOfPem } from '../../../../services/signing/keys.ts';
import { readBytesIfPresent, sha256 } from '../../../../services/stores/json-objects.ts';
import { newestVersion, type TrustChain } from '../../../../services/trust/trust-chain.ts';
import { isCurrent, keyWithId } from '../../../../services/trust/trusted-keys.ts';
import type { TapsSeries } from '../../series.ts';
import { csvDates, listUnknown, privacyFileSchema } from '../privacy-file.ts';
import { releaseCertificate } from '../release-certificate.ts';
import { totalsOfColumns, totalsTable } from '../tables.ts';
import type { PublicationPlaces } from './siblings.ts';
import { MARGIN_FILES, readMargins } from './table-files.ts';

/** Earlier windows that are looked at, and those whose margins are compared. */
const LOOKED_AT = 64;
const COMPARED = 8;
/** Publications that are read at once: each is some small objects. */
export const AT_ONCE = 8;

/** What is known of the days before. */
type Past = { past: NoisyMargins[]; history: History };

/**
 * What earlier publications say, newest first: totals of all that count the same taps, and noisy margins of those with a
 * weekday of this window. Of each window the newest version counts that was not retracted. Only what a publisher of the
 * trust file signed counts; anything else there is named, and so is what the signed head of the series or the audit of
 * a later publication names and is not there any more.
 */
export async function readPast(places: PublicationPlaces, series: TapsSeries, window: string): Promise<Past> {
  const { publicationStore: store, trust } = places;
  const chain = await trust();
  const { signed, unsigned, newest } = await earlierPublications(store, { ...series, window }, chain);
  const omissions = unsigned.map((release) => omit(release, 'no publisher has signed it'));
  const own = { certificate: releaseCertificate(series, null), days: windowDays(series, window) };
  const outcomes = await mapAtOnce(newest, AT_ONCE, (one) => comparable(store, one, own));
  for (const [at, one] of outcomes.entries())
    if (one === 'damaged') omissions.push(omit(newest[at]!.release, 'its files are not those that were signed'));
  const peers = outcomes.filter((one) => one !== null && one !== 'damaged');
  const there = new Map(signed.map(({ release, manifestDigest }) => [releasePath(release), manifestDigest]));
  const windows = [window, ...signed.map(({ release }) => release.window), ...unsigned.map((one) => one.window)];
  const oldest = windows.sort()[0]!;
  for (const [path, manifest] of [...(await headOf(store, series, chain)), ...peers.flatMap(({ named }) => named)]) {
    const release = parseReleasePath(path);
    const isLooked = release !== null && release.window >= oldest && release.window < window;
    if (isLooked && there.get(path) !== manifest && !omissions.some((one) => one.release === path))
      omissions.push(
        omit(release, there.has(path) ? 'another was published under its name' : 'it was published, and is gone'),
      );
  }
  return {
    past: marginsOf(peers),
    history: {
      read: peers.map(({ totals }) => totals),
      left: omissions.sort((a, b) => compareText(a.release, b.release)),
      unusual: series.audit?.unusual ?? [],
    },
  };
}

/** The margins of those that the warnings compare with. */
export const marginsOf = (peers: readonly Comparable[]): NoisyMargins[] =>
  peers.flatMap(({ margins }) => margins ?? []).slice(0, COMPARED);

/**
 * What a store has of the newest earlier windows of a series, newest first: what a publisher of the trust file
 * signed, and of each window the newest of it that was not retracted; and what nobody signed.
 */
export async function earlierPublications(
  store: ObjectReader,
  { series, window }: Pick<ReleaseReference, 'series' | 'window'>,
  trust: TrustChain | null,
): Promise<{ signed: SeriesRelease[]; unsigned: ReleaseReference[]; newest: SeriesRelease[] }> {
  const releases = (await listPublications(store, series)).map(({ release }) => release);
  const earlier = releases.filter((one) => one.window < window).sort(newestFirst);
  const windows = new Set([...new Set(earlier.map((one) => one.window))].slice(0, LOOKED_AT));
  const recent = earlier.filter((one) => windows.has(one.window));
  const outcomes = await mapAtOnce(recent, AT_ONCE, (release) => readSeriesRelease(store, release, trust));
  const signed = outcomes.filter((one) => one !== null);
  const valid = signed.filter(({ retraction }) => !retraction);
  const isNewest = (one: SeriesRelease, at: number): boolean =>
    valid.findIndex(({ release }) => release.window === one.release.window) === at;
  return { signed, unsigned: recent.filter((_, at) => !outcomes[at]), newest: valid.filter(isNewest) };
}

const omit = (release: ReleaseReference, reason: string) => ({ release: releasePath(release), reason });

/** Releases with the digests of their manifests. */
type Named = [release: string, manifest: string][];

/** What the head of the series names; nothing without a head of a publisher that the trust file does not end. */
async function headOf(store: ObjectReader, series: TapsSeries, trust: TrustChain): Promise<Named> {
  const bytes = await readBytesIfPresent(store, PUBLIC_KEYS.page(series.series, SERIES_FILES.head));
  try {
    const { head, publisherKey } = readHead(bytes ?? Buffer.from(''));
    const key = keyWithId(newestVersion(trust).publishers, keyIdOfPem(publisherKey));
    if (!key || !isCurrent(key, series.population) || head.series !== series.series) return [];
    return head.releases.map(({ release, manifest }) => [release, manifest]);
  } catch {
    return [];
  }
}

/** What a publication says that this release can be compared with. */
export type Comparable = { totals: History['read'][number]; margins: NoisyMargins | null; named: Named };

/** What a publication is compared with: the taps that it counts, and its days. */
type Own = { certificate: CountedTaps; days: readonly string[] };

/** Null: it counts other taps. */
export async function comparable(
  store: ObjectReader,
  publication: SeriesRelease,
  own: Own,
): Promise<Comparable | 'damaged' | null> {
  const files = new Map<string, Buffer>();
  for (const name of [FILES.privacy, FILES.certificate, FILES.audit, FILES.table('totals'), ...MARGIN_FILES]) {
    const bytes = await readListedFile(store, publication, name);
    if (bytes) files.set(name, bytes);
    else if (publication.manifest.files.some((file) => file.name === name)) return 'damaged';
  }
  try {
    const then = formOf(files, FILES.certificate, certificateShape);
    const privacy = formOf(files, FILES.privacy, privacyFileSchema);
    const { history } = formOf(files, FILES.audit, auditReportSchema);
    if (!countsTheSame(then, own.certificate)) return null;
    const totals = fileOf(files, FILES.table('totals'));
    const dates = csvDates(privacy);
    const weekdays = new Set(own.days.map(weekdayIndex));
    const margins = privacy.domain.days.some((day) => weekdays.has(weekdayIndex(day)))
      ? readMargins(files, dates)
      : null;
    return {
      totals: {
        release: releasePath(publication.release),
        manifest: publication.manifestDigest,
        totals: sha256(totals),
        rows: totalsOfColumns(parseTable(totalsTable(then), totals.toString('utf8'), dates)),
      },
      margins: margins && { margins, certificate: then, unknownPlaces: listUnknown(privacy) },
      named: (history?.read ?? []).map(({ release, manifest }) => [release, manifest]),
    };
  } catch {
    return 'damaged';
  }
}

type CountedTaps = Pick<Certificate, 'unit' | 'publish' | 'maxTaps'>;

/** Are the same taps of the same units counted? */
const countsTheSame = (a: CountedTaps, b: CountedTaps): boolean =>
  a.unit === b.unit && a.publish === b.publish && a.maxTaps === b.maxTaps;
