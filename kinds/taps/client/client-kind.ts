import type { Certificate } from '../../../contracts/certificate.ts';
import { yearInWords } from '../../../counts/accounting/year-in-words.ts';
import { auditRelease } from '../../../counts/audit/audit-release.ts';
import { wrongAlarm } from '../../../counts/certificate/reject-limit.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { domainCells } from '../../../counts/readers/proposed-design.ts';
import type { ClientKind, KindAttacks, LoadedList } from '../../client-kind.ts';
import { readTimetable } from '../file/audit-rules.ts';
import { readDictionaries } from '../file/dictionaries.ts';
import { TAPS_FIELD_NOTES } from '../file/field-notes.ts';
import { TAPS_RULES } from '../file/rules.ts';
import { checkSource, columnSchema } from '../file/source-rules.ts';
import { parseTimetable } from '../public/audit-subject/timetable.ts';
import { type TapsFile, type TapsSeries, tapsFileSchema, tapsSeries, tapsSeriesSchema } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { binsOfHour, certificateOf, completeParameters } from '../taps-certificate.ts';
import { subjectOf } from '../verification.ts';
import { forecastInWords, noisyModes, tapsDesigns } from './designs.ts';
import { tapsDifferences } from './differences.ts';
import { cellsOfFile, domainInWords, domainRule, gridOfSeries } from './domain-size.ts';

/** Attacks on publications of taps, and on counts of anybody, which are of the same kinds of tables. */
const TAPS_ATTACKS: KindAttacks = {
  declared: (series, lists) => {
    const taps = tapsSeries(series);
    const timetable = lists.find(({ digest }) => digest === taps.audit?.timetable);
    return {
      certificate: certificateOf(taps),
      services: taps.audit?.equalTruth ?? [],
      timetable: timetable ? parseTimetable(timetable.bytes) : [],
    };
  },
  checks: async (publication, knowledge) => {
    const subject = await subjectOf(publication);
    return auditRelease({ ...subject, knowledge: { ...subject.knowledge, ...knowledge } }).checks;
  },
};

/** Taps on the side of people. */
export const tapsForClients: ClientKind = {
  ...tapsKind,
  fileSchema: tapsFileSchema,
  check: async (fields, check) => {
    const { report } = check;
    const parts: Partial<TapsFile> = fields;
    for (const rule of TAPS_RULES) rule(parts, report);
    await checkSource(parts, report);
    const dictionaries = parts.bins ? await readDictionaries(check, parts.bins) : new Map();
    // A list or a window with a mistake has no size.
    if (check.isSound()) domainRule(parts, dictionaries, report);
    const timetable = await readTimetable(check, parts.audit);
    return {
      lists: [...dictionaries.values(), ...(timetable ? [timetable] : [])],
      stored: (file) => completeTaps(file as TapsFile, dictionaries, timetable?.digest),
    };
  },
  protection: (series, lists) => {
    const taps = tapsSeries(series);
    const certificate = certificateOf(taps);
    const { mechanism, unit, neighbours, scale, threshold } = certificate;
    const cells = domainCells(gridOfSeries(taps, lists));
    const inWords = [
      `The unit is ${unit}, neighbours ${neighbours}.`,
      `Noise of ${MECHANISMS[mechanism].noiseNumber} ${scale}; ${threshold === null ? 'every cell is published' : `a cell is published from ${threshold} on`}.`,
      ...alarmInWords(certificate, taps),
      ...domainInWords(certificate, cells),
      ...noisyModes(taps, lists),
    ];
    return { certificate, inWords, yearInWords: (releases) => yearInWords(certificate, releases) };
  },
  differences: tapsDifferences,
  designs: tapsDesigns,
  expected: forecastInWords,
  attacks: TAPS_ATTACKS,
  fileGuide: { notes: TAPS_FIELD_NOTES, key: 'MODE', schemas: { 'source.columns': columnSchema() } },
};

/** How often noise alone fails a release at its limits of rejects. */
function alarmInWords(certificate: Certificate, { window }: TapsSeries): string[] {
  const chance = wrongAlarm(certificate, window);
  if (chance === null) return [];
  const releases = Math.min(Math.floor(1 / chance), 1e9).toLocaleString('en');
  return [`Of releases without rejects, noise alone fails at most 1 in ${releases} at a limit of rejects.`];
}

/** Dictionaries and timetable by digest, the split complete. */
function completeTaps(file: TapsFile, lists: ReadonlyMap<string, LoadedList>, timetable: string | undefined): object {
  const { privacy, bins, audit } = file;
  const locations = Object.entries(bins.locations).map(([mode, fields]) => [
    mode,
    { ...fields, dictionary: lists.get(mode)?.digest },
  ]);
  return tapsSeriesSchema.parse({
    ...file,
    bins: { ...bins, locations: Object.fromEntries(locations) },
    ...(audit && { audit: { ...audit, ...(timetable !== undefined && { timetable }) } }),
    privacy: {
      ...completeParameters(privacy, binsOfHour(bins.minutes), cellsOfFile(file, lists)),
      caps: privacy.caps,
    },
  });
}
