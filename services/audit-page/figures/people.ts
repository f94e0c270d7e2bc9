import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { atLeastOnce } from '../../../counts/audit/attacks/accumulation.ts';
import { GROUP_SIZES, presenceProbability } from '../../../counts/audit/attacks/presence.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import type { AuditFigure } from '../../pages/drawing.ts';
import { numberText } from '../../pages/markup.ts';
import { type AuditPageSubject, type DrawnTable, inTable, riskiestTable } from '../subject.ts';

const BLUE = '#0b4f8a';
const ORANGE = '#8a3a00';

/** A smaller chance is drawn as if it were this, and written as what it is. */
const LEAST_DRAWN = 1e-18;

/** The groups by name, in the order of the audit. */
const GROUP_NAMES: Record<(typeof GROUP_SIZES)[number], string> = {
  1: 'one person',
  5: 'a group of five',
  12: 'a group of twelve',
};

/** Names of powers of ten in Vega's expression language, for the labels of an axis of chances. */
const CHANCE_LABEL =
  "datum.value >= 1 ? 'always' : '1 in ' + (datum.value > 5e-6 ? format(1 / datum.value, ',.0f') : " +
  "'10' + {6:'⁶',7:'⁷',8:'⁸',9:'⁹',10:'¹⁰',11:'¹¹',12:'¹²',13:'¹³',14:'¹⁴',15:'¹⁵',16:'¹⁶',17:'¹⁷',18:'¹⁸'}" +
  '[round(-log(datum.value) / LN10)])';

/** The powers of ten from below the least chance up to 1, in `most` steps at most. */
function chanceScale(chances: readonly number[], most: number): { domain: [number, number]; ticks: number[] } {
  const least = Math.max(LEAST_DRAWN, Math.min(...chances));
  const decades = Math.min(18, Math.max(2, Math.ceil(-Math.log10(least))));
  const step = Math.ceil(decades / most);
  const powers = Math.ceil(decades / step);
  const ticks = Array.from({ length: powers + 1 }, (_, index) => Number(`1e-${index * step}`)).filter(
    (tick) => tick >= LEAST_DRAWN,
  );
  return { domain: [ticks.at(-1)!, 1], ticks };
}

const drawn = (chance: number): number => Math.max(LEAST_DRAWN, chance);

/** `1 in 50`, or both ends where the scale is not certain. */
function between(least: number, most: number): string {
  const [low, high] = [chanceInWords(least), chanceInWords(most)];
  return low === high ? high : `${low} to ${high}`;
}

/** What the cells that are there tell of one person, five and twelve, in the table with the greatest risk. */
export function presenceFigure(tables: readonly DrawnTable[]): AuditFigure | null {
  const worst = riskiestTable(tables);
  if (!worst) return null;
  const groupsOf = ({ appears }: DrawnTable) =>
    GROUP_SIZES.map((size) => ({
      size,
      least: presenceProbability(appears.least, size),
      chance: presenceProbability(appears.most, size),
    }));
  const groups = groupsOf(worst);
  const { domain, ticks } = chanceScale(
    groups.map(({ least }) => least),
    4,
  );
  const words = groups.map(({ size, least, chance }) => `${GROUP_NAMES[size]} ${between(least, chance)}`).join(', ');
  const certain = groups.every(({ least, chance }) => least === chance);
  const values = groups.map(({ size, least, chance }) => ({
    group: GROUP_NAMES[size],
    chance: drawn(chance),
    from: certain ? domain[0] : drawn(least),
    start: domain[0],
    words: between(least, chance),
    align: Math.log(drawn(chance) / domain[0]) > 0.55 * -Math.log(domain[0]) ? 'right' : 'left',
  }));
  return {
    heading: 'What an attacker learns about a person, a group of five and of twelve',
    sentence:
      `A cell that is published tells that somebody was there. The chance that people who are alone in a cell${inTable(worst)} make it appear: ` +
      `${words}.${certain ? '' : ' Nobody says how strong the noise is; each bar spans what the files leave open.'}`,
    drawing: {
      id: 'presence',
      title: 'Chance that people who are alone in a cell make it appear',
      description: `On a logarithmic scale: ${words}.`,
      height: certain ? 132 : 150,
      left: 16,
      spec: {
        data: { values },
        encoding: {
          y: { field: 'group', type: 'nominal', sort: null, axis: null },
          x: {
            field: 'chance',
            type: 'quantitative',
            scale: { type: 'log', domain },
            axis: {
              values: ticks,
              labelExpr: CHANCE_LABEL,
              title: 'chance (logarithmic)',
            },
          },
        },
        layer: [
          { mark: { type: 'rule', strokeWidth: certain ? 3 : 7, color: BLUE }, encoding: { x2: { field: 'from' } } },
          ...(certain ? [{ mark: { type: 'point' as const, filled: true, size: 90, color: BLUE, opacity: 1 } }] : []),
          {
            mark: { type: 'text', align: 'left', dx: 2, dy: -12 },
            encoding: { x: { field: 'start', type: 'quantitative' }, text: { field: 'group' } },
          },
          ...(certain
            ? (['left', 'right'] as const).map((side) => ({
                transform: [{ filter: `datum.align === '${side}'` }],
                mark: {
                  type: 'text' as const,
                  align: side,
                  dx: side === 'left' ? 9 : 5,
                  dy: side === 'left' ? 0 : -12,
                  fontWeight: 'bold' as const,
                },
                encoding: { text: { field: 'words' } },
              }))
            : [
                {
                  mark: {
                    type: 'text' as const,
                    align: 'right' as const,
                    dx: -2,
                    dy: -12,
                    fontWeight: 'bold' as const,
                  },
                  encoding: { x: { datum: 1, type: 'quantitative' as const }, text: { field: 'words' } },
                },
              ]),
        ],
      },
    },
    table: {
      caption: 'Chance that a cell with only these people in it is published',
      headings: ['People', 'Chance', 'As a number'],
      rows: tables
        .filter(({ noise }) => noise.threshold !== null)
        .flatMap((table) =>
          groupsOf(table).map(({ size, least, chance }) => [
            table.name === null ? size : `${size === 1 ? '1 person' : `${size} people`}, ${table.name}`,
            between(least, chance),
            least === chance ? numberText(chance) : `${numberText(least)} to ${numberText(chance)}`,
          ]),
        ),
    },
  };
}

const SPANS = [
  ['a day', 1],
  ['a week', 7],
  ['a month', 30],
  ['a year', 365],
  ['ten years', 3650],
] as const;

const DASHES: Record<(typeof GROUP_SIZES)[number], number[]> = { 1: [1, 0], 5: [6, 3], 12: [2, 3] };

/** Least distance of two labels in the drawing, as a share of its height. */
const LABEL_GAP = 0.09;

/** Moves values apart from the lowest up, so that neighbours are at least `gap` from each other, and none is above 1. */
export function spread(values: readonly number[], gap: number): number[] {
  const raised: number[] = [];
  for (const value of values) raised.push(Math.max(value, (raised.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  let ceiling = 1;
  for (let index = raised.length - 1; index >= 0; index -= 1) {
    raised[index] = Math.min(raised[index]!, ceiling);
    ceiling = raised[index]! - gap;
  }
  return raised;
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
  const rule = worst.appears.most;
  const once = (size: number, days: number) => atLeastOnce(presenceProbability(rule, size), days);
  const { domain, ticks } = chanceScale(
    GROUP_SIZES.map((size) => once(size, 1)),
    5,
  );
  const height = (chance: number) => 1 - Math.log(drawn(chance)) / Math.log(domain[0]);
  const ends = GROUP_SIZES.map((size) => once(size, 3650));
  const labels = spread(ends.map(height), LABEL_GAP).map((place, index) => ({
    days: 3650,
    chance: domain[0] ** (1 - place),
    group: GROUP_NAMES[GROUP_SIZES[index]!].replace(/^a group of /, ''),
  }));
  const days = Array.from({ length: 73 }, (_, index) => 3650 ** (index / 72));
  const lineOf = (size: (typeof GROUP_SIZES)[number]) => ({
    data: { values: days.map((each) => ({ days: each, chance: drawn(once(size, each)) })) },
    mark: {
      type: 'line' as const,
      strokeWidth: 2.2,
      strokeDash: DASHES[size],
      color: size === 5 ? ORANGE : size === 1 ? BLUE : '#1c2126',
    },
  });
  const year = GROUP_SIZES.map((size) => `${GROUP_NAMES[size]} ${chanceInWords(once(size, 365))}`).join(', ');
  const soFar = check?.statistic == null || kind === 'publication' ? '' : ` So far, by the ledger: ${check.sentence}`;
  const open = worst.least === worst.most ? '' : ', with the strongest noise that the files leave open';
  const bounded = certificate ? boundInWords(certificate) : '';
  return {
    heading: 'What adds up over the years',
    sentence:
      'Someone with the same habit every day gets a new chance to show each day. The chance to show at least once in a ' +
      `year of daily data, alone in a cell each day${inTable(worst)}${open}: ${year}.${bounded}${soFar}`,
    drawing: {
      id: 'accumulation',
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
          y: {
            field: 'chance',
            type: 'quantitative',
            scale: { type: 'log', domain },
            axis: { values: ticks, labelExpr: CHANCE_LABEL, title: null },
          },
        },
        layer: [
          ...GROUP_SIZES.map(lineOf),
          {
            data: { values: labels },
            mark: { type: 'text', align: 'left', dx: 5 },
            encoding: { text: { field: 'group' } },
          },
        ],
      },
    },
    table: {
      caption: 'Chance to show at least once when alone in a cell on each day',
      headings: ['Time', 'One person', 'Five', 'Twelve'],
      rows: SPANS.map(([name, span]) => [name, ...GROUP_SIZES.map((size) => chanceInWords(once(size, span)))]),
    },
  };
}
