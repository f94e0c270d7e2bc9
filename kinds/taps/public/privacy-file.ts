import { z } from 'zod';
import { type Certificate, certificateShape, parametersOf, privacyParameters } from '../../../contracts/certificate.ts';
import { partitionPath, releasePath } from '../../../contracts/names.ts';
import type { DerivedRun } from '../../../contracts/stages.ts';
import { binLabels } from '../../../core/calendar/time-bins.ts';
import { windowDays } from '../../../core/calendar/window.ts';
import type { PublicDomains } from '../../../counts/audit/subject.ts';
import { listEnds } from '../../../counts/tables/tap-tables.ts';
import { clockGaps } from '../../../services/calendar/time-zone.ts';
import type { CsvDates } from '../../../services/publication/table-csv.ts';
import { listFacts, PROFILES, type TapsSeries } from '../series.ts';
import { readingGuide, readingGuideSchema } from './reading-guide.ts';

/** What a reader needs of the numbers of a certificate; scales are of cells, of margins, and of taps in no cell. */
const readNumbers = certificateShape.pick({
  d1: true,
  scale: true,
  marginScales: true,
  leftOutScale: true,
  threshold: true,
});

const PRIVACY_FORMAT = 'opaline-privacy/3';

/** privacy.json: the public privacy parameters of a release (C17) and how to read its counts. */
export const privacyFileSchema = z.strictObject({
  format: z.literal(PRIVACY_FORMAT),
  release: z.string(),
  parameters: privacyParameters,
  ...readNumbers.shape,
  domain: z.strictObject({
    modes: z.array(z.string()).max(500),
    days: z.array(z.iso.date()).max(366),
    timeZone: z.string(),
    dayStarts: z.string(),
    dayEnds: z.string(),
    binMinutes: z.int().positive(),
    /** By mode: SHA-256 of the public list of locations, and its member for everything else. */
    locations: z.record(
      z.string(),
      z.strictObject({ dictionary: z.string(), unknown: z.string(), list: listFacts.optional() }),
    ),
  }),
  /** Partitions without data, as `mode/day`. */
  holes: z.array(z.string()),
  /** The form of the CSV files, where it is not the usual one. */
  profile: z.enum(PROFILES).optional(),
  reading: readingGuideSchema,
});

export type PrivacyFile = z.infer<typeof privacyFileSchema>;

/** How the CSV files of a release write days: the profile of 2017 does it as the original release. */
export const csvDates = ({ profile }: Pick<PrivacyFile, 'profile'>): CsvDates =>
  profile === 'opal-2017' ? 'compact' : 'iso';

/**
 * privacy.json of a release: everything about the method. Throws WINDOW_INVALID when the window is not one of the
 * series.
 *
 * @contract C17
 */
export const privacyFile = (series: TapsSeries, input: DerivedRun, certificate: Certificate): PrivacyFile => ({
  format: PRIVACY_FORMAT,
  release: releasePath(input),
  parameters: parametersOf(certificate),
  ...readNumbers.strip().parse(certificate),
  domain: {
    modes: [...series.modes].sort(),
    days: windowDays(series, input.window),
    timeZone: series.timeZone,
    dayStarts: series.day.starts,
    dayEnds: series.day.ends,
    binMinutes: series.bins.minutes,
    locations: series.bins.locations,
  },
  holes: input.holes.map(partitionPath).sort(),
  ...(series.publication.profile !== undefined && { profile: series.publication.profile }),
  reading: readingGuide(certificate),
});

/**
 * The domain that privacy.json declares for each partition that was drawn. `locations` by mode, null when the
 * dictionaries are not at hand.
 */
export function publicDomains(
  { domain, holes, parameters }: PrivacyFile,
  locations: ReadonlyMap<string, ReadonlySet<string>> | null,
): PublicDomains {
  const { timeZone, dayStarts, dayEnds, binMinutes } = domain;
  const taps = new Set(listEnds(parameters.publish));
  const domains = new Map<string, { taps: Set<string>; times: Set<string>; locations: ReadonlySet<string> | null }>();
  for (const day of domain.days) {
    const gaps = clockGaps(timeZone, day, dayStarts, dayEnds);
    const times = new Set(binLabels(dayStarts, dayEnds, binMinutes, gaps));
    for (const mode of domain.modes)
      domains.set(partitionPath({ part: mode, day }), {
        taps,
        times,
        locations: locations && (locations.get(mode) ?? new Set()),
      });
  }
  for (const hole of holes) domains.delete(hole);
  return domains;
}

/** By mode: the member of its places that stands for all that no list names. */
export const listUnknown = ({ domain }: Pick<PrivacyFile, 'domain'>): ReadonlyMap<string, string> =>
  new Map(Object.entries(domain.locations).map(([mode, { unknown }]) => [mode, unknown]));
