import { type Certificate, certificateShape } from '../../../../contracts/certificate.ts';
import { FILES, type ReleaseReference } from '../../../../contracts/names.ts';
import { weekdayIndex } from '../../../../core/calendar/civil-day.ts';
import { windowDays } from '../../../../core/calendar/window.ts';
import type { NoisyMargins } from '../../../../counts/audit/warnings/noisy-totals.ts';
import { publishedReleases } from '../../../../services/publication/published-releases.ts';
import type { ReleaseFiles } from '../../../../services/publication/staged-files.ts';
import { readListedFile, readSeriesRelease } from '../../../../services/series-pages/series-release.ts';
import type { TapsSeries } from '../../series.ts';
import { csvDates, privacyFileSchema, unknownPlaces } from '../privacy-file.ts';
import { releaseCertificate } from '../release-certificate.ts';
import type { PublicationPlaces } from './siblings.ts';
import { MARGIN_FILES, readMargins } from './table-files.ts';

/** So many earlier publications are compared with, and so many windows are looked at to find them. */
const COMPARED = 8;
const LOOKED_AT = 64;

/**
 * Noisy margins of the newest publications of earlier windows that have a weekday of this one and count the same taps: of
 * each window the newest version, and none that was retracted. Only what a publisher of the trust file signed counts. One
 * that has no margins, or whose files are damaged or of another form, tells nothing, and stops nothing.
 */
export async function readPast(
  { publicationStore, trust }: PublicationPlaces,
  series: TapsSeries,
  window: string,
): Promise<NoisyMargins[]> {
  const now = releaseCertificate(series, null);
  const weekdays = new Set(windowDays(series, window).map(weekdayIndex));
  const chain = await trust();
  const releases = (await publishedReleases(publicationStore, series.series)).map(({ release }) => release);
  const seen = new Set<string>();
  const past: NoisyMargins[] = [];
  for (const release of releases.filter((one) => one.window < window).sort(newestFirst)) {
    if (past.length === COMPARED || seen.size === LOOKED_AT) break;
    if (seen.has(release.window)) continue;
    const signed = await readSeriesRelease(publicationStore, release, chain);
    if (!signed || signed.retraction) continue;
    seen.add(release.window);
    const files = new Map<string, Buffer>();
    for (const name of [FILES.privacy, FILES.certificate, ...MARGIN_FILES]) {
      const bytes = await readListedFile(publicationStore, signed, name);
      if (bytes) files.set(name, bytes);
    }
    const found = comparable(files, now, weekdays);
    if (found) past.push(found);
  }
  return past;
}

const newestFirst = (a: ReleaseReference, b: ReleaseReference): number =>
  a.window === b.window ? b.version - a.version : a.window < b.window ? 1 : -1;

function comparable(files: ReleaseFiles, now: Certificate, weekdays: ReadonlySet<number>): NoisyMargins | null {
  const [privacy, certificate] = [files.get(FILES.privacy), files.get(FILES.certificate)];
  if (!privacy || !certificate) return null;
  try {
    const then = certificateShape.parse(JSON.parse(certificate.toString('utf8')));
    const described = privacyFileSchema.parse(JSON.parse(privacy.toString('utf8')));
    if (!countsTheSame(then, now) || !described.domain.days.some((day) => weekdays.has(weekdayIndex(day)))) return null;
    const margins = readMargins(files, csvDates(described));
    if (!margins) return null;
    return {
      margins,
      certificate: then,
      unknownPlaces: unknownPlaces(described),
    };
  } catch {
    return null;
  }
}

/** Are the same taps of the same units counted? */
const countsTheSame = (a: Certificate, b: Certificate): boolean =>
  a.unit === b.unit && a.publish === b.publish && a.maxTaps === b.maxTaps;
