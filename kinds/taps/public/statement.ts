import type { AuditReport } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { markdownText } from '../../../core/text/markdown.ts';
import { yearInWords } from '../../../counts/accounting/year-in-words.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { DAYS_HEADING, SHOWN_HEADING, type ShownTable } from '../../../services/audit-page/page-subject.ts';
import type { StatementFacts } from '../../../services/publication/release-texts.ts';
import { markdownList, notCovered, statementText } from '../../statement.ts';
import type { PrivacyFile } from './privacy-file.ts';
import type { TapsFacts } from './taps-facts.ts';
import { daysWords, TOTALS_HEADING, totalsWords } from './totals-words.ts';

/**
 * statement.md: what the data is, what protects it, what that does not cover, and how to read it, for people. A pure
 * function of public parameters, published rows and the audit; it holds no clock and no count of the source.
 */
export function privacyStatement(
  { privacy, certificate, shown, totals }: TapsFacts,
  { report, publication, versions }: StatementFacts,
): string {
  const sums = totalsWords(totals);
  const days = daysWords(report);
  return statementText(publication, report, [
    ['What this is', whatThisIs(privacy, report)],
    [SHOWN_HEADING, [...shown.sentences, markdownTable(shown)]],
    ...(days ? [[DAYS_HEADING, [...days.sentences.map(markdownText), markdownTable(days)]] as const] : []),
    [TOTALS_HEADING, [...sums.sentences, markdownTable(sums)]],
    ['How to read it', howToRead(privacy, certificate)],
    ['What protects the people in it', protection(privacy, publication)],
    ['What a year of releases means for one person', [markdownList(yearInWords(certificate, releasesOfYear(privacy)))]],
    ['Versions of this window', versions],
    notCovered(certificate.assumptions, LIMITS),
    ['Parameters', [parameters(privacy, certificate)]],
  ]);
}

const markdownTable = ({ headings, rows }: ShownTable): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function whatThisIs({ domain, release }: PrivacyFile, { checks }: AuditReport): string[] {
  const first = domain.days[0];
  const last = domain.days.at(-1);
  return [
    `Counts of taps on public transport (${domain.modes.join(', ')}) from ${first} to ${last}, by tap on or off, time in bins of ${domain.binMinutes} minutes, and place. Release ${release}.`,
    `Times are wall-clock times in ${domain.timeZone}; a day runs from ${domain.dayStarts} to ${domain.dayEnds}. When the clock is put forward, the hour that it skips has no bins; when it is put back, both passes of the repeated hour are in the same bins.`,
    // Which partitions have no data, and which no published cell.
    ...checks.flatMap(({ id, sentence }) => (id === 'holes' ? [sentence] : [])),
  ];
}

const howToRead = ({ reading }: PrivacyFile, certificate: Certificate): string[] => [
  reading.publishedCell,
  `95 % of all noise lies between -${reading.noiseHalfWidth95} and ${reading.noiseHalfWidth95}. ${reading.example}`,
  reading.missingCell,
  ...reading.floor,
  ...reading.margins,
  ...reading.fitted,
  ...reading.leftOut,
  sumsInWords(certificate),
];

/** What the tables of times and of places add up to, by the margins and hour rows that this release has. */
function sumsInWords({ marginScales, hours, threshold }: Certificate): string {
  const sides = Object.keys(marginScales);
  const hourRows = hours ? ' The location table counts the hour rows too.' : '';
  const files = (table: string): string => sides.map((side) => `${table}-${side}.csv`).join(', ');
  if (sides.length === 0)
    return threshold === null
      ? 'The time and location tables are sums of all cells.'
      : `The time and location tables are sums of published cells. They leave out what no cell shows, so that they are lower than the truth.${hourRows}`;
  const sums =
    sides.length === 2
      ? `Time and location tables are the sums of cells and remainder rows.${hourRows} The remainder rows of times and of places describe the same taps: never add both.`
      : `The ${sides[0]} table is the sum of cells and remainder rows; the other one leaves out what no cell shows.${hourRows}`;
  return `Remainder rows (${files('remainder')}) say how much the cells of a ${sides.join(', or of a ')} leave out; they are fitted to the noisy margins, so that all of them together have the noisy total. ${sums} A remainder is never negative, so that single ones are not right on average: those with many taps that no cell shows are a little too low, and those of empty ones too high. By itself a noisy margin (${files('margins')}) has no such bias.`;
}

function protection(
  { parameters, reading, threshold }: PrivacyFile,
  { purpose }: StatementFacts['publication'],
): string[] {
  const unit = UNITS[parameters.unit].protects(parameters.maxTaps);
  const change = parameters.neighbours === 'replace-one' ? 'replaced by another' : 'added or left out';
  const chances = reading.appearance.map(
    ({ people, probability }) => `${people} ${people === 1 ? 'person' : 'people'}: ${probability}`,
  );
  return [
    `The counts are differentially private with epsilon = ${parameters.epsilon} and delta = ${parameters.delta}. What is protected is ${unit}: if it were ${change}, any outcome of this release would be at most exp(epsilon) times as likely, up to delta.`,
    threshold === null
      ? 'Every cell of the public domain has noise, empty ones too.'
      : parameters.floor !== undefined
        ? `Every cell of the public domain has noise, empty ones too, and is published only when its noisy count reaches the floor of ${threshold}. The chance that a cell is published, by the number of people in it, is about: ${chances.join('; ')}.`
        : `A cell is published only when its noisy count reaches ${threshold}. The chance that a cell is published all the same, by the number of people in it, is about: ${chances.join('; ')}.`,
    `The noise was drawn once, from the random generator of the operating system's kernel. ${purpose === 'trial' ? 'This is a trial: who approved it may have had access to the data behind it.' : 'Only people without access to the data behind it may approve the release.'}`,
  ];
}

/** Releases in a year, when each window follows the one before. */
const releasesOfYear = ({ domain }: PrivacyFile): number => Math.ceil(365 / domain.days.length);

const LIMITS =
  'It does not protect what is true of many people at once, such as how busy a station is, and nothing that is known from elsewhere. ';

function parameters({ parameters: asked, domain }: PrivacyFile, certificate: Certificate): string {
  const { split } = asked;
  const { noiseNumber, shares: whole } = MECHANISMS[asked.mechanism];
  const shares = Object.entries(split).map(([part, share]) => `${part} ${share}`);
  return markdownList([
    `mechanism: ${asked.mechanism}; unit: ${asked.unit}; neighbours: ${asked.neighbours}; taps: ${asked.publish}`,
    `epsilon: ${asked.epsilon} (${whole === 'of ρ' ? 'shares of ρ: ' : ''}${shares.join(', ')}); delta: ${asked.delta}, proved: at most ${certificate.deltaUpper}`,
    `${asked.floor === undefined ? 'threshold' : 'floor'}: ${certificate.threshold ?? 'none'}${asked.hours ? `, of hour rows ${asked.hours.floor}` : ''}; ${noiseNumber} of the noise: ${certificate.scale}; largest change of all counts by one unit: ${certificate.d1}`,
    ...Object.entries(certificate.marginScales).map(
      ([margin, scale]) => `${noiseNumber} of the ${margin} margins: ${scale}`,
    ),
    ...describeLeftOut(certificate),
    ...Object.entries(domain.locations).map(
      ([mode, { dictionary, unknown }]) =>
        `places of ${mode}: public list with SHA-256 ${dictionary}; all others: ${unknown}`,
    ),
  ]);
}

/** What is counted of taps in no cell. */
function describeLeftOut({ mechanism, clamp, rejects = {}, leftOutScale }: Certificate): string[] {
  if (leftOutScale === undefined) return [];
  const limits = Object.entries(rejects).map(([mode, most]) => `${most} of ${mode}`);
  return limits.length > 0
    ? [`rejected taps: at most ${limits.join(', ')} on a day; scale of their noise: ${leftOutScale}`]
    : [
        `left-out taps: at most ${clamp} of one card; ${MECHANISMS[mechanism].noiseNumber} of their noise: ${leftOutScale}`,
      ];
}
