import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { atLeastOnce } from '../../../counts/audit/checks/accumulation.ts';
import { chancesOfFloor, GROUPS, groupRisks, presenceProbability } from '../../../counts/audit/checks/presence.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { type AuditFigure, BLUE } from '../../pages/drawing.ts';
import { numberText } from '../../pages/markup.ts';
import { type AuditPageSubject, inTable, riskiestTable } from '../page-subject.ts';

const ORANGE = '#8a3a00';

/** A smaller chance is drawn as if it were this, and written as what it is. */
const LEAST_DRAWN = 1e-18;

/** Names of powers of ten in Vega's expression language, for the labels of an axis of chances. */
const CHANCE_LABEL =
  "datum.value >= 1 ? 'always' : '1 in ' + (datum.value > 5e-6 ? format(1 / datum.value, ',.0f') : " +
  "'10' + {6:'⁶',7:'⁷',8:'⁸',9:'⁹',10:'¹⁰',11:'¹¹',12:'¹²',13:'¹³',14:'¹⁴',15:'¹⁵',16:'¹⁶',17:'¹⁷',18:'¹⁸'}" +
  '[round(-log(datum.value) / LN10)])';

/** The axis of chances: powers of ten from below the least of them up to 1, in `most` steps at most. */
function chanceAxis(chances: readonly number[], most: number, title: string | null) {
  const least = Math.max(LEAST_DRAWN, Math.min(...chances));
  const decades = Math.min(18, Math.max(2, Math.ceil(-Math.log10(least))));
  const step = Math.ceil(decades / most);
  const powers = Math.ceil(decades / step);
  const values = Array.from({ length: powers + 1 }, (_, index) => Number(`1e-${index * step}`)).filter(
    (tick) => tick >= LEAST_DRAWN,
  );
  const lowest = values.at(-1)!;
  return {
    lowest,
    channel: {
      field: 'chance',
      type: 'quantitative' as const,
      scale: { type: 'log' as const, domain: [lowest, 1] },
      axis: { values, labelExpr: CHANCE_LABEL, title },
    },
  };
}

const clamp = (chance: number): number => Math.max(LEAST_DRAWN, chance);

/** `1 in 50`, or both ends where the scale is not certain. */
function between(least: number, most: number): string {
  const [low, high] = [chanceInWords(least), chanceInWords(most)];
  return low === high ? high : `${low} to ${high}`;
}

/** How often a cell of nobody is published where empty cells have noise too; null where none is, or nobody says. */
const emptyChanceOf = ({ certificate }: AuditPageSubject): number | null =>
  (certificate && chancesOfFloor(certificate)?.empty) ?? null;

/** What the cells that are there reveal about one, five and twelve people, in the table with the greatest risk. */
export function presenceFigure(subject: AuditPageSubject): AuditFigure | null {
  const tables = subject.drawn;
  const worst = riskiestTable(tables);
  if (!worst) return null;
  const groups = groupRisks(worst.noise);
  const chances = groups.map(({ least }) => least);
  const { lowest, channel } = chanceAxis(chances, 4, 'chance (logarithmic)');
  const words = groups.map(({ name, least, most }) => `${name} ${between(least, most)}`).join(', ');
  const certain = groups.every(({ least, most }) => least === most);
  const empty = emptyChanceOf(subject);
  const what =
    empty === null
      ? `A cell that is published tells that somebody was there. The chance that people who are alone in a cell${inTable(worst)} make it appear`
      : `A cell that is published does not prove that anybody was there: one in which nobody was is published with a chance of ${chanceInWords(empty)}. The chance that a cell${inTable(worst)} in which people are alone is published`;
  const values = groups.map(({ name, least, most }) => ({
    group: name,
    chance: clamp(most),
    from: certain ? lowest : clamp(least),
    start: lowest,
    words: between(least, most),
    align: Math.log(clamp(most) / lowest) > 0.55 * -Math.log(lowest) ? 'right' : 'left',
  }));
  const bold = { type: 'text', fontWeight: 'bold' } as const;
  // Words are beside the point, or over it where there is no room.
  const besidePoints = (['left', 'right'] as const).map((side) => ({
    transform: [{ filter: `datum.align === '${side}'` }],
    mark: { ...bold, align: side, ...(side === 'left' ? { dx: 9, dy: 0 } : { dx: 5, dy: -12 }) },
    encoding: { text: { field: 'words' } },
  }));
  const atTheRight = {
    mark: { ...bold, align: 'right' as const, dx: -2, dy: -12 },
    encoding: { x: { datum: 1, type: 'quantitative' as const }, text: { field: 'words' } },
  };
  const point = { mark: { type: 'point' as const, filled: true, size: 90, color: BLUE, opacity: 1 } };
  return {
    id: 'presence',
    heading: 'What an attacker learns about a person, a group of five and of twelve',
    sentence: `${what}: ${words}.${certain ? '' : ' Nobody says how strong the noise is; each bar spans what the files leave open.'}`,
    title: 'Chance that people who are alone in a cell make it appear',
    description: `On a logarithmic scale: ${words}.`,
    height: certain ? 132 : 150,
    left: 16,
    spec: {
      data: { values },
      encoding: { y: { field: 'group', type: 'nominal', sort: null, axis: null }, x: channel },
      layer: [
        { mark: { type: 'rule', strokeWidth: certain ? 3 : 7, color: BLUE }, encoding: { x2: { field: 'from' } } },
        ...(certain ? [point] : []),
        {
          mark: { type: 'text', align: 'left', dx: 2, dy: -12 },
          encoding: { x: { field: 'start', type: 'quantitative' }, text: { field: 'group' } },
        },
        ...(certain ? besidePoints : [atTheRight]),
      ],
    },
    caption: 'Chance that a cell with only these people in it is published',
    headings: ['People', 'Chance', 'As a number'],
    rows: tables
      .filter(({ noise }) => noise.threshold !== null)
      .flatMap(({ name, noise }) =>
        groupRisks(noise).map(({ size, least, most }) => [
          name === null ? size : `${size === 1 ? '1 person' : `${size} people`}, ${name}`,
          between(least, most),
          least === most ? numberText(most) : `${numberText(least)} to ${numberText(most)}`,
        ]),
      ),
  };
}

const SPANS = [
  ['a day', 1],
  ['a week', 7],
  ['a month', 30],
  ['a year', 365],
  ['ten years', 3650],
] as const;

/** How the line of each group is drawn. */
const LINES = {
  1: { strokeDash: [1, 0], color: BLUE },
  5: { strokeDash: [6, 3], color: ORANGE },
  12: { strokeDash: [2, 3], color: '#1c2126' },
};

/** Least distance of two labels in the drawing, as a share of its height. */
const LABEL_GAP = 0.09;

/** Moves values apart from the lowest up, so that neighbours are at least `gap` from each other, and none is above 1. */
export function spread(values: readonly number[], gap: number): number[] {
  const places: number[] = [];
  for (const value of values) places.push(Math.max(value, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  let ceiling = 1;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    places[index] = Math.min(places[index]!, ceiling);
    ceiling = places[index]! - gap;
  }
  return places;
}

/** How the unit bounds what a card of daily use adds up to. */
function boundInWords({ unit, maxTaps }: Certificate): string {
  switch (UNITS[unit].cardScope) {
    case 'window':
      return ` Of one card at most ${maxTaps} taps are counted in a release, which leaves it fewer chances than this.`;
    case 'day':
    case null:
      return '';
  }
}

/** What daily data over days and years adds up to; null where cells say nothing by being there. */
export function accumulationFigure(subject: AuditPageSubject, check: AuditCheck | null): AuditFigure | null {
  const { certificate, kind } = subject;
  const worst = riskiestTable(subject.drawn);
  if (!worst) return null;
  const { appears, least, most } = worst.noise;
  const once = (size: number, days: number) => atLeastOnce(presenceProbability(appears.most, size), days);
  const after = (days: number) => GROUPS.map(({ size }) => once(size, days));
  const { lowest, channel } = chanceAxis(after(1), 5, null);
  const height = (chance: number) => 1 - Math.log(clamp(chance)) / Math.log(lowest);
  const labels = spread(after(3650).map(height), LABEL_GAP).map((place, index) => ({
    days: 3650,
    chance: lowest ** (1 - place),
    group: GROUPS[index]!.name.replace(/^a group of /, ''),
  }));
  const days = Array.from({ length: 73 }, (_, index) => 3650 ** (index / 72));
  const year = GROUPS.map(({ size, name }) => `${name} ${chanceInWords(once(size, 365))}`).join(', ');
  const soFar = check?.statistic == null || kind === 'publication' ? '' : ` So far, by the ledger: ${check.sentence}`;
  const open = least === most ? '' : ', with the strongest noise that the files leave open';
  const limit = certificate ? boundInWords(certificate) : '';
  const empty = emptyChanceOf(subject);
  const nobody =
    empty === null
      ? ''
      : ` A cell with nobody in it shows at least once with a chance of ${chanceInWords(atLeastOnce(empty, 365))}: to show does not prove that anybody was there.`;
  return {
    id: 'accumulation',
    heading: 'What adds up over the years',
    sentence:
      'Someone with the same habit every day gets a new chance to show each day. The chance to show at least once in a ' +
      `year of daily data, alone in a cell each day${inTable(worst)}${open}: ${year}.${nobody}${limit}${soFar}`,
    title: 'Chance to show at least once, by length of time',
    description: `Three lines that rise with the number of days, on logarithmic scales. After a year: ${year}.`,
    height: 220,
    left: 78,
    right: 72,
    spec: {
      encoding: {
        x: {
          field: 'days',
          type: 'quantitative',
          scale: { type: 'log', domain: [1, 3650], nice: false },
          axis: {
            values: SPANS.map(([, span]) => span),
            labelExpr: `({${SPANS.map(([name, span]) => `${span}:'${name.replace(/^a /, '')}'`).join(',')}})[datum.value]`,
            title: 'daily data over this time, each day alone in a cell',
            labelFlush: false,
          },
        },
        y: channel,
      },
      layer: [
        ...GROUPS.map(({ size }) => ({
          data: { values: days.map((each) => ({ days: each, chance: clamp(once(size, each)) })) },
          mark: { type: 'line' as const, strokeWidth: 2.2, ...LINES[size] },
        })),
        {
          data: { values: labels },
          mark: { type: 'text', align: 'left', dx: 5 },
          encoding: { text: { field: 'group' } },
        },
      ],
    },
    caption: 'Chance to show at least once when alone in a cell on each day',
    headings: ['Time', 'One person', 'Five', 'Twelve'],
    rows: SPANS.map(([name, span]) => [name, ...after(span).map(chanceInWords)]),
  };
}
