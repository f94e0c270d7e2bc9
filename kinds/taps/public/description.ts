import type { Certificate } from '../../../contracts/certificate.ts';
import { BOUNDING_OF } from '../../../contracts/certificate-statements.ts';
import { partitionPath } from '../../../contracts/names.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { squaresInWords, yearInWords } from '../../../counts/accounting/year-in-words.ts';
import { leftOutOfUnit } from '../../../counts/certificate/l1-change.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { hasIntervals } from '../../../counts/readers/shown-taps.ts';
import { SHOWN_HEADING } from '../../../services/audit-page/page-subject.ts';
import type { DataDescription, KindAnswers, SummaryFigure } from '../../../services/metadata/data-description.ts';
import { neighboursInWords } from '../../statement.ts';
import { tapsFiles } from './files.ts';
import { PLACES } from './place-files.ts';
import type { TapsFacts } from './taps-facts.ts';
import { TOTALS_HEADING, totalsWords } from './totals-words.ts';

const PLACE_NAMES = { table: PLACES.name, keys: ['mode', 'loc'], column: 'name' };

/** What metadata and pages say of a release of taps. */
export function describeTaps(facts: TapsFacts): DataDescription {
  const { privacy, certificate, shown, totals, places, nobody } = facts;
  const { domain, reading } = privacy;
  return {
    summary: `Counts of taps on public transport (${domain.modes.join(', ')}), by boarding or alighting, time in bins of ${domain.binMinutes} minutes, and place, with differentially private noise.${peopleInWords(certificate)}`,
    keywords: ['public transport', 'passenger counts', 'differential privacy', ...domain.modes],
    timeZone: domain.timeZone,
    firstDay: domain.days[0]!,
    lastDay: domain.days.at(-1)!,
    measured: ['Taps by mode, day, boarding or alighting, time and place'],
    files: tapsFiles(facts),
    questions: [
      ['Taps of a mode on a day', 'totals'],
      ['Taps of a place on a day', 'location'],
      ['Taps of a time of day, over all places', 'time'],
      ['Taps of a time and place together', 'time-location'],
      ['Taps of an hour and place that no cell shows', 'hours'],
      ['One time by itself, without bias', 'margins-time'],
      ['One place by itself, without bias', 'margins-location'],
      ['Names and coordinates of places', 'places'],
    ],
    firstTables: [
      ...['location', 'time-location'].map((table) => ({
        table,
        value: 'count',
        by: ['date', 'tap'],
        names: PLACE_NAMES,
      })),
      { table: 'time', value: 'count', by: ['mode', 'tap', 'time'] },
    ],
    reading: {
      missing: reading.missingCell,
      interval: reading.example,
      others: [...reading.floor.slice(0, 1), ...nobody, ...reading.margins],
    },
    answers: answersOf(facts),
    figures: [dailyFigure(facts)],
    tables: [
      { heading: SHOWN_HEADING, ...shown },
      { heading: TOTALS_HEADING, ...totalsWords(totals) },
    ],
    places,
  };
}

/** The table `totals` as bars. */
function dailyFigure({ privacy: { domain }, certificate, ofDays }: TapsFacts): SummaryFigure {
  const totals = new Map(ofDays.map((total) => [partitionPath(total), total]));
  const widest = Math.max(0, ...ofDays.map(({ count, high }) => (high ?? count) - count));
  return {
    heading: 'Taps of each day',
    sentence: hasIntervals(certificate)
      ? `Boardings and alightings together, with noise: each number is within ${widest} of the exact one, except with a chance of at most 5 % (totals.csv).`
      : 'Boardings and alightings together, from published cells alone: taps that no cell shows are in none of these numbers.',
    rowHeading: 'Day',
    unit: 'taps',
    columns: domain.modes,
    rows: domain.days.map((day) => ({
      label: day,
      values: domain.modes.map((part) => totals.get(partitionPath({ part, day }))?.count ?? null),
    })),
  };
}

/** What a publication for people says first; nothing of others. */
function peopleInWords({ unit, epsilon, delta, rho, neighbours }: Certificate): string {
  if (rho === undefined) return '';
  const either = neighbours === 'add-remove' ? 'with that card or without it' : 'whichever way that card was used';
  return ` What one card did in the whole ${UNITS[unit].cardScope} is protected at ε = ${epsilon}: ${either}, any outcome is at most e^ε times as likely, up to a slack δ of ${delta} (ρ = ${rho}). A card is a person where people have one card each. statement.md says what that means for a year, and for two ways of using a card.`;
}

function answersOf({ privacy, certificate, nobody }: TapsFacts): KindAnswers {
  const { parameters, threshold, reading, domain } = privacy;
  const { unit, maxTaps, neighbours, epsilon, delta, split } = parameters;
  const shares = Object.entries(split).map(([part, share]) => `${share} for ${part}`);
  const { clamp, rejects, leftOutScale } = certificate;
  const { noiseNumber, noiseWords, shares: whole } = MECHANISMS[parameters.mechanism];
  const others = [
    ...Object.entries(certificate.marginScales).map(([margin, scale]) => `${scale} for ${margin} margins`),
    ...(leftOutScale === undefined ? [] : [`${leftOutScale} for left-out taps`]),
  ];
  return {
    unit: `The unit is ${UNITS[unit].protects(maxTaps)} (\`${unit}\`).`,
    neighbours: neighboursInWords(neighbours, 'unit', 'another unit'),
    parameters: `${delta === '0' ? 'Pure' : 'Approximate'} differential privacy: ε = ${epsilon} (${whole === 'of ρ' ? 'shares of ρ: ' : ''}${shares.join(', ')}) and δ = ${delta}; proved is δ at most ${certificate.deltaUpper}.`,
    mechanism: `\`${parameters.mechanism}\`: noise of the ${noiseWords} law of ${noiseNumber} ${certificate.scale} on each cell${others.length === 0 ? '' : `, and of ${noiseNumber} ${others.join(' and ')}`}. ${threshold === null ? 'Every cell of the public domain is published.' : `A cell is published when its noisy count reaches ${threshold}.`}`,
    sensitivity: `One unit changes all counts of the release by at most ${certificate.d1} in total (L1). ${certificate.rho === undefined ? '' : `${squaresInWords(certificate)} `}${BOUNDING_OF[unit](maxTaps)}${clamp === undefined ? '' : ` Of what this leaves out at most ${clamp} taps of one card are counted, apart.`}${rejects ? ` It makes at most ${leftOutOfUnit(certificate)} rejects, which are counted apart.` : ''}`,
    domain: `${certificate.assumptions.filter((one) => /public sources|Parameters|parameters/.test(one)).join(' ')} Lists of places are named by their digests in \`privacy.json\`.`,
    composition: yearInWords(certificate, Math.ceil(365 / domain.days.length)).join(' '),
    accuracy: `95 % of all noise on a cell lies between -${reading.noiseHalfWidth95} and ${reading.noiseHalfWidth95}. ${[reading.example, ...nobody, ...reading.margins, ...reading.leftOut].join(' ')}`,
    bias: gather(
      reading.missingCell,
      threshold !== null &&
        'Sums of published cells are too low by what is missing, and most so for places and times with few people: small places and rare trips are served worst.',
      reading.fitted,
    ).join(' '),
    notCovered:
      'What is true of many people at once, such as how busy a place is, and what is known from elsewhere. A person with several units loses several times as much.',
  };
}
