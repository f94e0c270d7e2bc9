import { type Certificate, certificateShape } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { summarySchema } from '../../../contracts/formats/summary.ts';
import { FILES, releasePath } from '../../../contracts/names.ts';
import { USUAL_KIND } from '../../../contracts/series.ts';
import { binLabels, clockMinutes } from '../../../core/calendar/time-bins.ts';
import { amountText } from '../../../core/rational/amount-text.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { ENDS_PUBLISHED } from '../../../counts/certificate/units.ts';
import { type NoiseOfCount, noiseOfCount } from '../../../counts/mechanisms/mechanisms.ts';
import {
  type CountedGrid,
  type ExpectedUtility,
  earlierVolume,
  predictUtility,
  type Range,
  type Volume,
} from '../../../counts/readers/expected-utility.ts';
import { type PeopleDesign, peopleDesigns } from '../../../counts/readers/people-designs.ts';
import { type ExpectedDesign, possibleDesigns, withUtility } from '../../../counts/readers/proposed-design.ts';
import { hasIntervals } from '../../../counts/readers/shown-taps.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { fileOf } from '../../../services/publication/staged-files.ts';
import { parseTable } from '../../../services/publication/table-csv.ts';
import type { ClientKind, LoadedList } from '../../client-kind.ts';
import { listPlaces, readLists } from '../public/place-files.ts';
import { csvDates, privacyFileSchema } from '../public/privacy-file.ts';
import { totalsOfColumns, totalsTable } from '../public/tables.ts';
import { columnSets, type TapsSeries, tapsSeries } from '../series.ts';
import { certificateOf } from '../taps-certificate.ts';
import { gridOfSeries } from './domain-size.ts';

/** Bins that are proposed. */
export const PROPOSED_MINUTES = [15, 30, 60] as const;

/** Hardly a cell is shown below this share of taps. */
const HARDLY = 0.05;

/** An interval of a share that is as wide as this is for towns that are unlike each other. */
const WIDE = 0.3;

/**
 * The designs that the guarantee of a series allows with bins of 15, 30 and 60 minutes, with what each may show. `like`:
 * an earlier publication that verified, by which each is judged, in place of the weekly taps of the file. Throws USAGE
 * when it does not serve for that.
 *
 * @contract C17
 */
export const tapsDesigns: NonNullable<ClientKind['designs']> = async (series, lists, like) => {
  const taps = tapsSeries(series);
  const volume = volumeOf(taps, like);
  const grids = PROPOSED_MINUTES.map((minutes) => gridOfSeries(taps, lists, minutes));
  const designs = possibleDesigns({ ...taps.privacy, rows: taps.source.rows }, grids);
  const value = designs.map((design) => withUtility(design, volume));
  if (!columnSets(taps.source).some(({ card }) => card)) return { value, text: designsTable(value) };
  const people = peopleDesigns(taps.privacy.publish, grids[0]!, volume).map((design) => ({
    ...design,
    ...withUtility(design, volume),
  }));
  return { value: [...value, ...people], text: [designsTable(value), PEOPLE_WORDS, peopleTable(people)].join('\n\n') };
};

/** What the designs for people are, above their table. */
const PEOPLE_WORDS =
  'For people, discrete Gaussian noise protects all taps of a card: of its day (at most 4 taps count) or of its window (at most 28). ε is at the δ of one release; those of a week and a year are for somebody who travels in all of it. Taps beyond the bound are lost, and are not in the figures.';

/** Designs for people as a table, with the ε of a week and of a year beside what they show. */
const peopleTable = (designs: readonly (ExpectedDesign & PeopleDesign)[]): string =>
  tableText(
    ['design', 'cells from', 'ε', 'δ', 'ε of a week', 'ε of a year', 'σ', ...EXPECTED_HEAD],
    designs.map(({ name, certificate, week, year, expected }) => [
      name,
      String(certificate.threshold),
      amountText(certificate.epsilon),
      toNumber(parseRational(certificate.delta)).toExponential(0),
      week.toFixed(1),
      year.toFixed(1),
      Math.sqrt(toNumber(parseRational(certificate.scale))).toFixed(1),
      ...formatUtility(expected),
    ]),
  );

/**
 * The forecast of a release before anything is charged, by public figures and lists alone (C17). For one that was
 * audited, `own`, it is the share in cells that was forecast, beside its own.
 */
export const forecastInWords: NonNullable<ClientKind['expected']> = async (series, lists, like, own) => {
  const taps = tapsSeries(series);
  const volume = volumeOf(taps, like);
  if (!volume)
    return own ? [] : ['Nobody says how much a release may show: expected.tapsPerWeek in the series file does.'];
  const utility = predictUtility(certificateOf(taps), gridOfSeries(taps, lists), volume);
  const figure = like ? releasePath(like.manifest) : `${volume.tapsPerWeek} taps a week`;
  if (!own) return [`${like ? `As in ${figure}` : `Of ${figure}, of nine in ten towns`}: ${utilityWords(utility)}.`];
  const { total, cells } = sumsOf(own);
  return [`Forecast by ${figure}: ${between(utility.cells)} of taps in cells; shown: ${percent(cells / total)}.`];
};

/**
 * Modes of whose location totals most can only be noise, from the lists and the figure of the file alone: more noise is
 * added to the listed places than an equal part of the taps of a day is.
 */
export function noisyModes(taps: TapsSeries, lists: readonly LoadedList[]): string[] {
  const { modes, bins, expected } = taps;
  const { mechanism, marginScales } = certificateOf(taps);
  if (marginScales.location === undefined) return [];
  const { places, ends } = gridOfSeries(taps, lists);
  const sharers = modes.filter((mode) =>
    modes.some((other) => other !== mode && bins.locations[other]?.dictionary === bins.locations[mode]?.dictionary),
  );
  const noise = meanNoise(noiseOfCount(mechanism, marginScales.location));
  const part = expected && Math.round(expected.tapsPerWeek / 7 / ends / modes.length);
  const loud = modes
    .map((mode, at) => ({ mode, taps: (places[at]! * noise) / 2 }))
    .filter(({ taps }) => part !== undefined && taps > part);
  const ofLoud = `Most of the location totals of ${loud.map(({ mode }) => mode).join(', ')} can only be noise: of a day and end it comes to ${loud.map(({ taps }) => Math.round(taps)).join(', ')} taps, and an equal part of all expected taps is ${part}; list only places that the mode serves.`;
  const ofSharing = `${sharers.join(', ')} share a list of places: of a mode that serves few of them most of the location totals can only be noise; give each a list of its own.`;
  return [...(loud.length > 0 ? [ofLoud] : []), ...(sharers.length > 0 ? [ofSharing] : [])];
}

/** The mean of the absolute noise of a count. */
function meanNoise({ model, scale }: NoiseOfCount): number {
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return 1 / Math.sinh(1 / scale);
    case 'discrete-gaussian':
      return scale * Math.sqrt(2 / Math.PI);
  }
}

const volumeOf = ({ expected }: TapsSeries, like: Publication | null): Volume | null =>
  like ? earlierRelease(like) : (expected ?? null);

/** What may be expected, in a clause. */
export const utilityWords = ({ cells, hours, time, location }: ExpectedUtility): string => {
  const hourRows = hours.high > 0 ? `, ${between(hours)} in hour rows` : '';
  const hardly = cells.high < HARDLY ? ': hardly a cell will be shown' : '';
  const caveat =
    cells.high - cells.low >= WIDE
      ? ' (more where few places and hours have most taps, less where they are alike)'
      : '';
  return `${between(cells)} of taps in cells${caveat}${hourRows}; time totals of a day are off by ${between(time)}, location totals by ${between(location)}${hardly}`;
};

/** 12–34 % */
function between({ low, high }: Range): string {
  const [least, most] = [low, high].map((share) => String(Math.round(100 * share)));
  return least === most ? `${least} %` : `${least}–${most} %`;
}

const percent = (share: number): string => between({ low: share, high: share });

/** Designs as a Markdown table, which terminals show well enough. */
export const designsTable = (designs: readonly ExpectedDesign[]): string =>
  tableText(
    ['design', 'cells from', 'ε', ...EXPECTED_HEAD],
    designs.map(({ name, certificate: { threshold, epsilon }, expected }) => [
      name,
      String(threshold),
      amountText(epsilon),
      ...formatUtility(expected),
    ]),
  );

const EXPECTED_HEAD = ['taps in cells', 'in hour rows', 'error of times', 'of locations'];

const formatUtility = (utility: ExpectedUtility | undefined): string[] =>
  (['cells', 'hours', 'time', 'location'] as const).map((figure) => (utility ? between(utility[figure]) : '?'));

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string => `| ${row.map((text, at) => text.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** How much there is, and, where that is public, of each mode in a week. */
export type ModeVolume = Volume & { ofModes?: ReadonlyMap<string, number> };

/**
 * What an earlier publication of taps says of the next, for choosing parameters by it (C17). It has to be one that is
 * believed: rows that nobody approved could be a look at the data that nobody charged. Throws USAGE when it is of another
 * kind, or when its rows do not say how many taps there were.
 */
export function earlierRelease(publication: Publication): ModeVolume {
  if (publication.manifest.kind !== USUAL_KIND)
    throw wrongUse('The earlier release holds no taps; name the folder of one that does.');
  const { total, cells, certificate } = sumsOf(publication);
  const privacy = privacyFileSchema.parse(publication.json(FILES.privacy));
  const { domain } = privacy;
  const places = listPlaces(domain, readLists(publication.files, domain.modes));
  const grid: CountedGrid = {
    days: domain.days.length,
    ends: ENDS_PUBLISHED[certificate.publish],
    minutes: domain.binMinutes,
    times: binLabels(domain.dayStarts, domain.dayEnds, domain.binMinutes, []).map(clockMinutes),
    places: domain.modes.map((mode) => places.get(mode)!.size),
  };
  const ofModes = new Map(domain.modes.map((mode) => [mode, 0]));
  const totals = fileOf(publication.files, FILES.table('totals')).toString('utf8');
  for (const { part, count } of totalsOfColumns(parseTable(totalsTable(certificate), totals, csvDates(privacy))))
    ofModes.set(part, (ofModes.get(part) ?? 0) + (7 * count) / grid.days);
  return { ...earlierVolume(certificate, grid, (7 * total) / grid.days, cells / total), ofModes };
}

/** Taps of a publication by its rows, of all and of those in cells. Throws USAGE where they do not say. */
function sumsOf(publication: Publication): { total: number; cells: number; certificate: Certificate } {
  const certificate = certificateShape.parse(publication.json(FILES.certificate));
  const { files } = summarySchema.parse(publication.json(FILES.summary));
  const [total = 0, cells = 0] = ['totals', 'time-location'].map(
    (table) => files.find(({ name }) => name === FILES.table(table))?.total,
  );
  if (!hasIntervals(certificate))
    throw wrongUse(
      'The earlier release has no remainder rows, so that nobody can say how many taps there were; name another one.',
    );
  if (total <= 0) throw wrongUse('The earlier release shows no taps; name another one.');
  return { total, cells, certificate };
}
